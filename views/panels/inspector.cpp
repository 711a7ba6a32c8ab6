// SPDX-License-Identifier: Apache-2.0
#include "views/panels/inspector.h"

#include "model/engine/explanation.h"
#include "model/items/liveconformance.h"
#include "model/items/operationmodel.h"
#include "model/items/sentences.h"
#include "model/items/words.h"
#include "model/json/condition.h"
#include "model/pack/rows.h"
#include "views/citations.h"
#include "views/look.h"
#include "views/tips.h"

#include <QCoreApplication>
#include <QCursor>
#include <QMimeData>
#include <QScrollBar>
#include <QToolTip>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct InspectorWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Inspector)
};

constexpr int ListedAtMost = 12;

QString mark(StatusCategory statusCategory)
{
    switch (statusCategory) {
    case StatusCategory::Rest:
        return u"●"_s;
    case StatusCategory::Working:
        return u"◔"_s;
    case StatusCategory::Removing:
        return u"▼"_s;
    case StatusCategory::Failed:
        return u"✕"_s;
    case StatusCategory::Absent:
        return u"○"_s;
    case StatusCategory::Waiting:
        return u"I\u200aI"_s; // two bars; the font has no thick ones
    case StatusCategory::Gone:
        return u"–"_s;
    }
    return {};
}

/// Builder of a page's HTML: a heading, sentences, rows of name and value.
class Page
{
public:
    explicit Page(const Theme &theme) : m_theme(theme) { }

    void heading(const QString &kind, const QString &name)
    {
        m_html +=
            u"<p style='margin:0;color:%1'>%2</p><p style='margin:0 0 6px 0;font-size:large'><b>%3</b></p>"_s
                .arg(m_theme.dimText.name(), kind.toHtmlEscaped(), breakable(name));
    }
    void sentence(const QString &text)
    {
        if (!text.isEmpty())
            m_html += u"<p style='margin:0 0 6px 0'>%1</p>"_s.arg(text.toHtmlEscaped());
    }
    void warning(const QString &text)
    {
        m_html += u"<p style='margin:4px 0 6px 0;background:%1;color:%2'>%3</p>"_s.arg(
            m_theme.warningFill.name(), m_theme.warning.name(), text.toHtmlEscaped());
    }
    /// `html` is rich text already.
    void row(const QString &name, const QString &html)
    {
        if (html.isEmpty())
            return;
        m_rows +=
            u"<tr><td width='84' style='color:%1;padding:2px 8px 2px 0'>%2</td><td style='padding:2px 0'>%3</td></tr>"_s
                .arg(m_theme.dimText.name(), name.toHtmlEscaped(), html);
    }
    void plain(const QString &name, const QString &text) { row(name, breakable(text)); }
    void source(const Rules &rules, const Row &thing)
    {
        row(InspectorWords::tr("Source"), chipsOf(rules.pack(), thing, m_theme));
    }

    QString chip(StatusCategory statusCategory, const QString &word) const
    {
        const Theme::Tone &tone = m_theme.tones[size_t(statusCategory)];
        return u"<span style='background:%1;color:%2'>&nbsp;<b>%3</b>&nbsp;%4&nbsp;</span>"_s.arg(
            tone.fill.name(), tone.text.name(), mark(statusCategory), word.toHtmlEscaped());
    }
    QString link(const QString &kind, const QString &to, const QString &text) const
    {
        return u"<a href='%1:%2' style='color:%3'>%4</a>"_s.arg(kind,
            QString::fromLatin1(QUrl::toPercentEncoding(to)), m_theme.accent.name(),
            breakable(text));
    }
    /// Adds a box of HTML lines above the rows.
    void card(const QString &title, const QStringList &lines, StatusCategory statusCategory,
        const QString &kind = {})
    {
        const Theme::Tone &tone = m_theme.tones[size_t(statusCategory)];
        QString html = kind.isEmpty() ? kind : u"<p style='margin:0'>%1</p>"_s.arg(dim(kind));
        html += u"<p style='margin:0 0 3px 0;color:%1'><b>%2</b></p>"_s.arg(
            tone.text.name(), title.toHtmlEscaped());
        for (const QString &line : lines) {
            if (!line.isEmpty())
                html +=
                    u"<p style='margin:0 0 3px 0;color:%1'>%2</p>"_s.arg(m_theme.text.name(), line);
        }
        m_cards += u"<table cellspacing='0' cellpadding='7' width='100%' style='margin-top:6px' "
                   "bgcolor='%1'><tr><td>%2</td></tr></table>"_s.arg(
                       mixed(m_theme.base, tone.fill, 0.6).name(), html);
    }
    QString text() const
    {
        return m_html + m_cards
            + u"<table cellspacing='0' width='100%' style='margin-top:8px'>%1</table>"_s.arg(
                m_rows);
    }

    QString dim(const QString &text) const
    {
        return u"<span style='color:%1'>%2</span>"_s.arg(m_theme.dimText.name(), breakable(text));
    }

    /// Returns a path with break opportunities after slashes.
    static QString breakable(const QString &text)
    {
        return text.toHtmlEscaped().replace(u"/"_s, u"/\u200b"_s);
    }

private:
    const Theme &m_theme;
    QString m_html, m_rows, m_cards;
};

QString paths(const Page &page, const QStringList &all)
{
    QStringList links;
    for (const QString &path : all.mid(0, ListedAtMost))
        links += page.link(u"path"_s, path, path);
    if (all.size() > ListedAtMost)
        links += InspectorWords::tr("and %1 more").arg(all.size() - ListedAtMost);
    return links.join(u"<br>"_s);
}

QString operationLink(const Page &page, const Controller &controller, const QString &id)
{
    const Operation *operation = id.isEmpty() ? nullptr : controller.operations().find(id);
    if (!operation)
        return id.toHtmlEscaped();
    return page.link(u"operation"_s, QString::number(operation->serial), titleOf(*operation));
}

QString statesText(const Page &page, const Rules &rules, int machine, const QStringList &ids)
{
    QStringList chips;
    for (const QString &id : ids) {
        const Rules::StateId state = rules.stateNamed(machine, id);
        chips += state == Rules::None ? id.toHtmlEscaped()
                                      : page.chip(statusCategoryOf(rules, state), id);
    }
    return chips.join(u" "_s);
}

QString operationLink(const Page &page, const Controller &controller, quint32 serial)
{
    return operationLink(page, controller, controller.operations().idOf(serial));
}

/// Text of a value: a string as it is, anything else as JSON.
QString valueText(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    return QString::fromUtf8(jsonOf(value));
}

/// Lines of an explanation: the row that decided, chips of its sources, and the resources that it
/// depends on and examined.
QStringList rowLines(
    const Page &page, const Controller &controller, const Explanation &why, const Theme &theme)
{
    const Rules &rules = controller.rules();
    QStringList lines { cited(rules.pack(), why.rule, theme) };
    if (why.row) {
        for (const QString &name : why.row->when.keys()) {
            const Switch *row = rules.pack().findSwitch(name);
            if (!row)
                continue;
            //: a switch of the rules, its value
            lines += InspectorWords::tr("This rule applies while the switch “%1” is %2.")
                         .arg(spelledOut(name).toHtmlEscaped(),
                             switchValueText(*row, rules.switches().value(name)).toHtmlEscaped())
                + u' ' + page.link(u"switch"_s, name, InspectorWords::tr("Try another value"));
        }
    }
    if (!why.looked.isEmpty() && !why.other)
        lines += InspectorWords::tr("The result depends on: %1").arg(paths(page, why.looked));
    return lines;
}

/// Lines of a refusal: the operation in the way, and the rule.
QStringList refusalLines(
    const Page &page, const Controller &controller, const Operation &refused, const Theme &theme)
{
    const std::optional<Explanation> why = whyOperation(controller, refused.serial);
    const Operation *other = why ? controller.operations().find(why->other) : nullptr;
    QStringList lines { u"<b>%1</b> %2"_s.arg(
        refused.httpStatus ? QString::number(refused.httpStatus) : QString(),
        refused.errorCode.toHtmlEscaped()) };
    if (other)
        lines += InspectorWords::tr("Conflicts with %1.")
                     .arg(operationLink(page, controller, other->serial));
    else if (!controller.isOurs())
        lines += why && !why->rule.isEmpty()
            ? InspectorWords::tr("No operation of this program conflicts. The observations suggest "
                                 "an operation of another client.")
            : InspectorWords::tr("No observation explains the refusal.");
    lines += why ? rowLines(page, controller, *why, theme)
                 : QStringList(cited(controller.rules().pack(), refused.rule, theme));
    lines += page.dim(refused.errorMessage);
    if (!other || other->isOver())
        return lines;
    const QString serial = QString::number(refused.serial);
    return lines
        + QStringList { page.link(u"again"_s, serial, InspectorWords::tr("Fire when it is free")),
              page.link(u"cancel"_s, QString::number(other->serial),
                  InspectorWords::tr("Cancel %1").arg(titleOf(*other))) };
}

void answerCard(Page &page, const Controller &controller, const Operation &refused,
    const Theme &theme, const QString &kind)
{
    page.card(InspectorWords::tr("%1 was refused").arg(titleOf(refused)),
        refusalLines(page, controller, refused, theme), StatusCategory::Failed, kind);
}

/// Adds rows of a resource's last transition: time, trigger and source state.
void addMove(Page &page, const Controller &controller, const Explanation &why)
{
    if (why.kind != Explanation::Kind::Moved)
        return;
    page.plain(InspectorWords::tr("Since"), timeText(why.time));
    page.plain(InspectorWords::tr("State before"),
        why.before.isEmpty() ? InspectorWords::tr("absent") : why.before);
    if (why.operation)
        page.row(InspectorWords::tr("Moved by"), operationLink(page, controller, why.operation));
}

void whyCard(Page &page, const Controller &controller, const std::optional<Explanation> &why,
    const Theme &theme)
{
    if (!why)
        return;
    const QString other = why->other ? operationLink(page, controller, why->other) : QString();
    QString title;
    QStringList lines;
    StatusCategory statusCategory = StatusCategory::Failed;
    switch (why->kind) {
    case Explanation::Kind::Refused:
        return; // the answer says so
    case Explanation::Kind::Canceled:
        title = InspectorWords::tr("Why was the operation canceled?");
        statusCategory = StatusCategory::Absent;
        lines += why->other ? InspectorWords::tr("%1 canceled the operation.").arg(other)
                            : InspectorWords::tr("You canceled the operation by hand.");
        break;
    case Explanation::Kind::Waits:
        title = InspectorWords::tr("Why does the operation wait?");
        statusCategory = StatusCategory::Waiting;
        lines += InspectorWords::tr("The operation waits until %1 has ended.").arg(other);
        break;
    case Explanation::Kind::Moved: {
        const QString is = why->after.isEmpty() ? InspectorWords::tr("gone") : why->after;
        const QString was = why->before.isEmpty() ? InspectorWords::tr("absent") : why->before;
        const World &world = controller.world();
        const Resource now = world.tree.find(why->path);
        const bool isStill = why->after
            == (now == NoResource ? QString() : shownWord(controller.rules(), world, now));
        title = is.isEmpty() || is == was ? InspectorWords::tr("Why is the resource in this state?")
            : isStill                     ? InspectorWords::tr("Why is the resource %1?").arg(is)
            : why->after.isEmpty()        ? InspectorWords::tr("Why was the resource removed?")
                                   : InspectorWords::tr("Why did the resource become %1?").arg(is);
        statusCategory = StatusCategory::Working;
        break;
    }
    }
    lines += rowLines(page, controller, *why, theme);
    lines.removeAll(QString());
    if (!lines.isEmpty()) // an operation at a server may have moved it without a known row
        page.card(title, lines, statusCategory);
}

/// Adds the card of the newest violation at a resource: what was observed, the broken rule, and the
/// shortest history that shows it.
void violationCard(
    Page &page, const LiveConformance &conformance, const QString &path, const Theme &theme)
{
    const JudgedViolation *found = conformance.judgedViolationAt(path);
    if (!found)
        return;
    const Rules &rules = conformance.rules();
    QStringList lines { Page::breakable(violationText(*found)),
        cited(rules.pack(), brokenRuleText(*found), theme) };
    if (found->shortest()) {
        lines += page.link(u"proof"_s, path, InspectorWords::tr("Save the proof")) + u" · "_s
            + page.link(u"play"_s, path, InspectorWords::tr("Play the evidence in a simulation"));
        for (const QString &line : shortestTrace(*found))
            lines += page.dim(line);
    }
    lines += readingText(*found, rules).toHtmlEscaped();
    lines += monitoredAgainText(conformance, path).toHtmlEscaped();
    const bool isBroken = found->verdict && found->verdict->violation;
    page.card(isBroken ? InspectorWords::tr("The server broke a rule")
                       : InspectorWords::tr("The server may have broken a rule"),
        lines, StatusCategory::Failed, InspectorWords::tr("Verdict"));
}

/// Adds the states that the rules allow, and a violation.
void addConformance(
    Page &page, const LiveConformance &conformance, const QString &path, const Theme &theme)
{
    violationCard(page, conformance, path, theme);
    page.plain(InspectorWords::tr("Rules allow"), expectedText(conformance, path));
}

} // namespace

QString resourceText(const Controller &controller, const QString &path, const Theme &theme,
    const std::optional<Explanation> &why, const LiveConformance *conformance)
{
    const Rules &rules = controller.rules();
    const World &world = controller.world();
    const Resource resource = world.tree.find(path);
    Page page(theme);
    if (path.isEmpty())
        return {};
    if (resource == NoResource) {
        page.heading(InspectorWords::tr("Resource"), path.section(u'/', -1));
        page.sentence(InspectorWords::tr("This resource does not exist now."));
        page.plain(InspectorWords::tr("Path"), path);
        if (why)
            addMove(page, controller, *why);
        whyCard(page, controller, why, theme);
        if (conformance)
            addConformance(page, *conformance, path, theme);
        return page.text();
    }
    const Code code = world.tree.code(resource);
    const QString typePath = world.tree.typePath(world.tree.type(resource));
    const Type *type = rules.typeRow(typePath);
    const Rules::StateId state = rules.stateOf(code);
    page.heading(
        type && !type->title.isEmpty() ? type->title : typePath, world.tree.name(resource));

    const Machine &machine = rules.pack().machines[rules.state(state).machine];
    const State *row = machine.state(rules.state(state).id);
    const bool isUnknown = world.unknownWords.contains(resource);
    page.row(InspectorWords::tr("State"),
        page.chip(isUnknown ? StatusCategory::Absent : statusCategoryOf(rules, state),
            shownWord(rules, world, resource)));
    if (isUnknown)
        page.plain(QString(),
            InspectorWords::tr("The server reports this state, which the pack does not define."));
    else if (row && rules.shown(code) != row->id)
        page.plain(InspectorWords::tr("Internal state"), row->id);
    if (conformance)
        addConformance(page, *conformance, path, theme);
    if (why)
        addMove(page, controller, *why);
    else if (row && !isUnknown)
        page.plain(QString(), row->about);
    if (const Rules::StateId last = rules.lastOf(code);
        last != Rules::None && last != state && !(why && why->before == rules.state(last).id))
        page.row(InspectorWords::tr("Last resting state"),
            page.chip(statusCategoryOf(rules, last), rules.state(last).id));
    page.plain(InspectorWords::tr("Etag"), controller.etag(resource));
    if (const Resource above = world.tree.parent(resource); above != NoResource)
        page.row(InspectorWords::tr("Parent"),
            page.link(u"path"_s, world.tree.path(above), world.tree.name(above)));
    if (const quint32 below = world.tree.subtree(resource).size() - 1)
        page.plain(
            InspectorWords::tr("Below"), InspectorWords::tr("%Ln resources", nullptr, int(below)));

    const Tree::Place place = world.tree.place(resource);
    for (const quint32 serial : world.busy.value(place.branch)) {
        const Running *running = world.find(serial);
        const bool here = running
            && (running->target == resource
                || std::ranges::any_of(running->affected, [&](const Tree::Range &range) {
                       return range.branch == place.branch && range.begin <= place.position
                           && place.position < range.end;
                   }));
        if (here && !(why && why->operation == serial))
            page.row(InspectorWords::tr("Running"), operationLink(page, controller, running->id));
    }
    page.row(InspectorWords::tr("Refers to"), paths(page, world.references.value(resource)));
    QStringList referrers;
    for (const Resource other : world.referrers.value(pathKey(world, path)))
        referrers += world.tree.path(other);
    page.row(InspectorWords::tr("Referred to by"), paths(page, referrers));
    if (const QJsonObject properties = world.properties.value(resource); !properties.isEmpty()) {
        QStringList lines;
        for (auto it = properties.begin(); it != properties.end(); ++it)
            lines += u"%1 %2"_s.arg(it.key(), valueText(*it)).toHtmlEscaped();
        page.row(InspectorWords::tr("Properties"),
            u"<pre style='margin:0;white-space:pre-wrap'>%1</pre>"_s.arg(lines.join(u'\n')));
    }
    if (type) {
        page.plain(InspectorWords::tr("About"), type->about);
        page.source(rules, *type);
    }
    whyCard(page, controller, why, theme);
    return page.text();
}

QString titleOf(const Operation &operation)
{
    const QString name = operation.path.section(u'/', -1);
    return operation.client.isEmpty()
        ? InspectorWords::tr("%1 on %2").arg(operation.op, name)
        //: a client, its operation, a resource
        : InspectorWords::tr("%1’s %2 on %3").arg(operation.client, operation.op, name);
}

QString answerText(const Controller &controller, quint32 serial, const Theme &theme)
{
    const Operation *operation = controller.operations().find(serial);
    if (!operation)
        return {};
    Page page(theme);
    answerCard(page, controller, *operation, theme, InspectorWords::tr("Last answer"));
    return page.text();
}

QString operationText(const Controller &controller, quint32 serial, const Theme &theme)
{
    const Operation *operation = controller.operations().find(serial);
    if (!operation)
        return {};
    Page page(theme);
    page.heading(InspectorWords::tr("Operation %1").arg(operation->id),
        u"%1 %2"_s.arg(operation->op, operation->path.section(u'/', -1)));
    const bool good = operation->status == Status::Succeeded;
    const StatusCategory statusCategory = operation->status == Status::Waiting
        ? StatusCategory::Waiting
        : !operation->isOver()                  ? StatusCategory::Working
        : good                                  ? StatusCategory::Rest
        : operation->status == Status::Canceled ? StatusCategory::Absent
                                                : StatusCategory::Failed;
    if (operation->status == Status::Rejected) {
        answerCard(page, controller, *operation, theme, InspectorWords::tr("Answer"));
    } else {
        page.row(InspectorWords::tr("Status"), page.chip(statusCategory, statusText(*operation)));
        if (!operation->errorMessage.isEmpty())
            page.warning(operation->errorMessage);
        if (operation->httpStatus)
            page.plain(InspectorWords::tr("HTTP status"), QString::number(operation->httpStatus));
        page.plain(InspectorWords::tr("Code"), operation->errorCode);
        page.row(
            InspectorWords::tr("Rule"), cited(controller.rules().pack(), operation->rule, theme));
    }
    page.row(
        InspectorWords::tr("Canceled by"), operationLink(page, controller, operation->canceledBy));
    page.row(
        InspectorWords::tr("Required by"), operationLink(page, controller, operation->requiredBy));
    page.row(
        InspectorWords::tr("Same answer as"), operationLink(page, controller, operation->replayOf));
    page.row(InspectorWords::tr("Target"), page.link(u"path"_s, operation->path, operation->path));
    page.plain(InspectorWords::tr("Client"), operation->client);
    // Times at a server are those of our observations.
    const bool isOurs = controller.isOurs();
    page.plain(isOurs               ? InspectorWords::tr("Submitted")
            : isNotSent(*operation) ? InspectorWords::tr("Requested")
                                    : InspectorWords::tr("Sent"),
        timeText(operation->submitted));
    if (operation->started)
        page.plain(isOurs ? InspectorWords::tr("Started") : InspectorWords::tr("Observed running"),
            timeText(*operation->started));
    if (operation->ended && !isNotSent(*operation))
        page.plain(isOurs ? InspectorWords::tr("Ended") : InspectorWords::tr("Observed ended"),
            timeText(*operation->ended));
    if (operation->attempts)
        page.plain(InspectorWords::tr("Attempts"), QString::number(operation->attempts));
    if (const Running *running = controller.world().find(serial)) {
        qint64 covered = 0;
        for (const Tree::Range &range : running->affected)
            covered += range.size();
        page.plain(InspectorWords::tr("Affects"),
            InspectorWords::tr("%Ln resources", nullptr, int(covered)));
        if (controller.isOurs() && running->due < 0 && running->phase == Running::Phase::Attempting)
            page.sentence(
                InspectorWords::tr("The operation runs until you end it: click an outcome on the "
                                   "chart, or use the operation's menu in the queue."));
    }
    if (const std::optional<Explanation> why = whyOperation(controller, serial)) {
        if (why->kind == Explanation::Kind::Moved)
            page.plain(InspectorWords::tr("State before"), why->before);
        whyCard(page, controller, why, theme);
    }
    return page.text();
}

QString absentOperationText(
    const Controller &controller, const Operation &operation, const Theme &theme)
{
    Page page(theme);
    page.heading(InspectorWords::tr("Operation %1").arg(operation.id),
        u"%1 %2"_s.arg(operation.op, operation.path.section(u'/', -1)));
    const bool wasAsked = operation.serial <= controller.world().lastSerial;
    page.sentence(wasAsked ? InspectorWords::tr("This operation has ended, and its details are no "
                                                "longer stored.")
                           : InspectorWords::tr("The operation is submitted later than the time "
                                                "shown."));
    page.row(InspectorWords::tr("Target"), page.link(u"path"_s, operation.path, operation.path));
    page.plain(InspectorWords::tr("Client"), operation.client);
    page.plain(wasAsked ? InspectorWords::tr("Submitted") : InspectorWords::tr("Will be submitted"),
        timeText(operation.submitted));
    return page.text() + u"<hr>"_s + resourceText(controller, operation.path, theme);
}

QString stateText(const Controller &controller, int machine, const QString &id, const Theme &theme)
{
    const Rules &rules = controller.rules();
    if (machine < 0 || machine >= rules.pack().machines.size())
        return {};
    const Machine &owner = rules.pack().machines[machine];
    const State *row = owner.state(id);
    if (!row)
        return {};
    Page page(theme);
    page.heading(
        InspectorWords::tr("State of %1").arg(owner.title.isEmpty() ? owner.id : owner.title),
        row->label.isEmpty() ? row->id : row->label);
    page.sentence(row->about);
    static const QStringList kinds { InspectorWords::tr("initial: the resource does not exist"),
        InspectorWords::tr("stable: the resource rests"),
        InspectorWords::tr("transitional: work is in progress"), InspectorWords::tr("composite") };
    page.plain(InspectorWords::tr("Kind"), kinds[qsizetype(row->kind)]);
    if (!row->label.isEmpty())
        page.plain(InspectorWords::tr("Id"), row->id);
    page.plain(InspectorWords::tr("Clients see"), row->as);
    page.source(rules, *row);
    for (const Transition &transition : owner.transitions) {
        if (transition.from.contains(id) && rules.applies(transition)) {
            const QString to = transition.refuse.isEmpty()
                ? statesText(page, rules, machine, transition.to)
                : InspectorWords::tr("refused: %1").arg(transition.refuse).toHtmlEscaped();
            page.row(InspectorWords::tr("On %1").arg(transition.on.join(u", "_s)), to);
        }
    }
    return page.text();
}

QString sourcePage(const Controller &controller, const QString &key,
    const QList<LessonOnRule> &lessons, const Theme &theme)
{
    const Pack &pack = controller.rules().pack();
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    if (source == pack.sourceList.end())
        return {};
    Page page(theme);
    page.heading(InspectorWords::tr("Source"), source->id);
    page.sentence(source->about);
    page.plain(InspectorWords::tr("Document"), source->document);
    page.plain(InspectorWords::tr("Section"), source->section);
    const auto cites = [&](const Row &row) { return row.sources.contains(key); };
    for (const Machine &machine : pack.machines) {
        QStringList states;
        for (const State &state : machine.states) {
            if (cites(state))
                states += state.label.isEmpty() ? state.id : state.label;
        }
        const auto arrows = std::ranges::count_if(machine.transitions, cites);
        if (arrows)
            states += InspectorWords::tr("%Ln transitions", nullptr, int(arrows));
        page.plain(machine.title.isEmpty() ? machine.id : machine.title, states.join(u", "_s));
    }
    QString links;
    for (const LessonOnRule &lesson : lessons)
        links += u"<p><a href='lesson:%1' style='color:%2'>%3</a></p>"_s.arg(
            QString::fromLatin1(QUrl::toPercentEncoding(lesson.file)), theme.accent.name(),
            InspectorWords::tr("Lesson: %1").arg(lesson.title).toHtmlEscaped());
    return page.text() + links
        + u"<p><a href='back:' style='color:%1'>%2</a></p>"_s.arg(
            theme.accent.name(), InspectorWords::tr("Back").toHtmlEscaped());
}

QString transitionText(const Controller &controller, int machine, int index, const Theme &theme)
{
    const Rules &rules = controller.rules();
    if (machine < 0 || machine >= rules.pack().machines.size())
        return {};
    const Machine &owner = rules.pack().machines[machine];
    if (index < 0 || index >= owner.transitions.size())
        return {};
    const Transition &row = owner.transitions[index];
    Page page(theme);
    page.heading(
        InspectorWords::tr("Transition of %1").arg(owner.title.isEmpty() ? owner.id : owner.title),
        row.label.isEmpty() ? row.on.join(u", "_s) : row.label);
    page.sentence(row.about);
    page.row(InspectorWords::tr("From"),
        row.from.contains(u"*"_s) ? InspectorWords::tr("any state of an existing resource")
                                  : statesText(page, rules, machine, row.from));
    page.row(InspectorWords::tr("To"), statesText(page, rules, machine, row.to));
    page.plain(InspectorWords::tr("Trigger"), row.on.join(u", "_s));
    if (row.condition != Condition())
        page.plain(InspectorWords::tr("Condition"), conditionWords(row.condition));
    page.plain(InspectorWords::tr("Refuses with"), row.refuse);
    page.plain(InspectorWords::tr("Changes"), assignmentsText(row.set));
    if (row.limit)
        page.plain(InspectorWords::tr("Limit"),
            InspectorWords::tr(
                "%Ln times in one operation; then the operation fails", nullptr, int(*row.limit)));
    if (row.after)
        page.plain(InspectorWords::tr("Delay"), timeText(row.after));
    page.source(rules, row);
    return page.text();
}

Inspector::Inspector(const Controller &controller, Selection &selection, QWidget *parent)
    : HtmlView(parent), m_controller(controller)
{
    setOpenLinks(false);
    setAccessibleName(tr("Inspector"));
    setPlaceholderText(tr("Select a resource, an operation, or a state of the chart."));
    setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    document()->setDocumentMargin(gap::normal);
    setMinimumWidth(160);
    connect(&selection, &Selection::resourceChosen, this, [this](const QString &path) {
        show({ Shown::Kind::OfResource, path, 0, 0 });
    });
    connect(&selection, &Selection::operationsChosen, this, [this](quint32 current) {
        if (current)
            show({ Shown::Kind::OfOperation, {}, current, 0 });
    });
    connect(&selection, &Selection::rowsChosen, this, &Inspector::showRows);
    connect(this, &HtmlView::anchorClicked, this, [this, &selection](const QUrl &url) {
        const QString link = url.toString(QUrl::FullyEncoded);
        const QString target = QUrl::fromPercentEncoding(link.section(u':', 1).toLatin1());
        if (link.startsWith(u"path:"))
            selection.choose(target);
        else if (link.startsWith(u"operation:"))
            selection.choose(target.toUInt());
        else if (link.startsWith(u"source:"))
            showSource(sourceKeys(link).first());
        else if (link.startsWith(u"switch:"))
            emit switchAsked(target);
        else if (link.startsWith(u"play:"))
            emit traceAsked(target);
        else if (link.startsWith(u"proof:"))
            emit proofAsked(target);
        else if (link.startsWith(u"lesson:"))
            emit lessonAsked(target);
        else if (link.startsWith(u"again:"))
            emit fireAgainAsked(target.toUInt());
        else if (link.startsWith(u"cancel:"))
            emit cancelAsked(target.toUInt());
        else if (link.startsWith(u"back:"))
            show(m_beforeSource);
    });
    connect(this, &HtmlView::highlighted, this, [this](const QUrl &url) {
        const QString link = url.toString(QUrl::FullyEncoded);
        if (link.startsWith(u"source:"))
            showHtmlTip(QCursor::pos(), sourceTips(m_controller.rules().pack(), link), this);
        else
            QToolTip::hideText();
    });
    connect(&controller.updates(), &Updates::happened, this, &Inspector::refresh);
    connect(&controller, &Controller::rulesChanged, this, [this] { m_isWhyKnown = false; });
    connect(&controller.updates(), &Updates::rewound, this, [this] {
        m_isWhyKnown = false;
        refresh();
    });
    whenThemed(this, [this] { refresh(); });
}

void Inspector::setConformance(const LiveConformance *conformance)
{
    m_conformance = conformance;
    if (conformance)
        connect(conformance, &LiveConformance::changed, this, &Inspector::refresh);
    refresh();
}

/// Shows selected rows that the current rules have: a draft may have more.
void Inspector::showRows(const SelectedRows &rows)
{
    const QList<Machine> &machines = m_controller.rules().pack().machines;
    const auto found = std::ranges::find(machines, rows.machine, &Machine::id);
    if (found == machines.end())
        return;
    const int machine = int(found - machines.begin());
    if (!rows.states.isEmpty() && found->state(rows.states.last()))
        show({ Shown::Kind::OfState, rows.states.last(), 0, machine });
    else if (!rows.transitions.isEmpty() && *rows.transitions.begin() < found->transitions.size())
        show({ Shown::Kind::OfTransition, {}, quint32(*rows.transitions.begin()), machine });
}

void Inspector::setLessons(std::function<QList<LessonOnRule>(const QString &key)> lessons)
{
    m_lessons = std::move(lessons);
}

void Inspector::showSource(const QString &key)
{
    if (m_shown.kind != Shown::Kind::OfSource)
        m_beforeSource = m_shown;
    show({ Shown::Kind::OfSource, key, 0, 0 });
}

void Inspector::show(const Shown &shown)
{
    m_shown = shown;
    refresh();
    verticalScrollBar()->setValue(0);
}

const std::optional<Explanation> &Inspector::why(const QString &path)
{
    const Tree &tree = m_controller.world().tree;
    const Resource resource = tree.find(path);
    const auto code =
        resource == NoResource ? std::optional<Code>() : std::optional(tree.code(resource));
    if (!m_isWhyKnown || path != m_whyPath || code != m_whyCode)
        m_why = whyResource(m_controller, path);
    m_isWhyKnown = true;
    m_whyPath = path;
    m_whyCode = code;
    return m_why;
}

QString Inspector::contextText()
{
    QString text;
    switch (m_shown.kind) {
    case Shown::Kind::OfResource:
        text = resourceText(m_controller, m_shown.name, theme(), why(m_shown.name), m_conformance);
        break;
    case Shown::Kind::OfOperation:
        text = operationText(m_controller, m_shown.number, theme());
        if (const Operation *operation = m_controller.operations().find(m_shown.number))
            m_operation = *operation;
        else if (m_operation.serial == m_shown.number)
            text = absentOperationText(m_controller, m_operation, theme());
        break;
    case Shown::Kind::OfState:
        text = stateText(m_controller, m_shown.machine, m_shown.name, theme());
        break;
    case Shown::Kind::OfTransition:
        text = transitionText(m_controller, m_shown.machine, int(m_shown.number), theme());
        break;
    case Shown::Kind::OfSource:
        text = sourcePage(m_controller, m_shown.name,
            m_lessons ? m_lessons(m_shown.name) : QList<LessonOnRule>(), theme());
        break;
    }
    return text;
}

/// Page of the last request if it was refused, unless the inspector shows it already.
QString Inspector::lastAnswer()
{
    const PersistentList<Operation> &all = m_controller.operations().all();
    qsizetype last = all.size() - 1;
    while (last >= 0 && !all[last].requiredBy.isEmpty())
        --last;
    if (last < 0 || all[last].status != Status::Rejected || all[last].serial == operation())
        return {};
    return answerText(m_controller, all[last].serial, theme());
}

void Inspector::refresh()
{
    const QString text = lastAnswer() + contextText();
    // An equal page is not set again, which would clear the user's text selection.
    if (text == m_text)
        return;
    m_text = text;
    const int position = verticalScrollBar()->value();
    setHtml(text);
    verticalScrollBar()->setValue(position);
}

QMimeData *Inspector::createMimeDataFromSelection() const
{
    const std::unique_ptr<QMimeData> marked(HtmlView::createMimeDataFromSelection());
    auto *clean = new QMimeData;
    clean->setText(marked->text().remove(u'\u200b'));
    clean->setHtml(marked->html().remove(u'\u200b'));
    return clean;
}

} // namespace instar
