// SPDX-License-Identifier: Apache-2.0
#include "views/panels/inspector.h"

#include "model/items/operationmodel.h"
#include "model/items/remedy.h"
#include "model/items/sentences.h"
#include "model/items/words.h"
#include "model/json/condition.h"
#include "model/pack/rows.h"
#include "views/citations.h"
#include "views/look.h"
#include "views/tips.h"

#include <QCursor>
#include <QMimeData>
#include <QScrollBar>
#include <QToolTip>
#include <QUrl>

#include <algorithm>
#include <functional>

namespace instar {

namespace {

constexpr int ListedAtMost = 12;

QString mark(StatusCategory statusCategory)
{
    static const QMap<StatusCategory, QString> marks {
        { StatusCategory::Rest, u"●"_s },
        { StatusCategory::Working, u"◔"_s },
        { StatusCategory::Removing, u"▼"_s },
        { StatusCategory::Failed, u"✕"_s },
        { StatusCategory::Absent, u"○"_s },
        { StatusCategory::Waiting, u"I\u200aI"_s }, // two bars; the font has no thick ones
        { StatusCategory::Gone, u"–"_s },
    };
    return marks.value(statusCategory);
}

/// Builder of a page's HTML: a heading, sentences, rows of name and value.
class Page
{
public:
    explicit Page(const Controller &controller) : m_controller(controller) { }

    void heading(const QString &kind, const QString &name)
    {
        m_html +=
            u"<p style='margin:6px 0 0 0;color:%1'>%2</p><p style='margin:0 0 6px 0;font-size:large'><b>%3</b></p>"_s
                .arg(theme().dimText.name(), kind.toHtmlEscaped(), breakable(name));
    }
    void sentence(const QString &text)
    {
        if (!text.isEmpty())
            m_html += u"<p style='margin:0 0 6px 0'>%1</p>"_s.arg(text.toHtmlEscaped());
    }
    void warning(const QString &text)
    {
        m_html += u"<p style='margin:4px 0 6px 0;background:%1;color:%2'>%3</p>"_s.arg(
            theme().warningFill.name(), theme().warning.name(), text.toHtmlEscaped());
    }
    /// Adds a name and a value in rich text; nothing if the value is empty.
    void row(const QString &name, const QString &html)
    {
        if (html.isEmpty())
            return;
        m_rows +=
            u"<tr><td width='84' style='color:%1;padding:2px 8px 2px 0'>%2</td><td style='padding:2px 0'>%3</td></tr>"_s
                .arg(theme().dimText.name(), name.toHtmlEscaped(), html);
    }
    void plain(const QString &name, const QString &text) { row(name, breakable(text)); }
    void source(const Row &thing)
    {
        row(Inspector::tr("Source"), chipsOf(rules().pack(), thing, theme()));
    }

    QString chip(StatusCategory statusCategory, const QString &word) const
    {
        const Theme::Tone &tone = theme().tones[size_t(statusCategory)];
        return u"<span style='background:%1;color:%2'>&nbsp;<b>%3</b>&nbsp;%4&nbsp;</span>"_s.arg(
            tone.fill.name(), tone.text.name(), mark(statusCategory), word.toHtmlEscaped());
    }
    QString link(const QString &kind, const QString &to, const QString &text) const
    {
        return u"<a href='%1:%2' style='color:%3'>%4</a>"_s.arg(kind,
            QString::fromLatin1(QUrl::toPercentEncoding(to)), theme().accent.name(),
            breakable(text));
    }
    /// Adds a box of HTML lines above the rows.
    void card(const QString &title, const QStringList &lines, StatusCategory statusCategory,
        const QString &kind = {})
    {
        const Theme::Tone &tone = theme().tones[size_t(statusCategory)];
        QString html = kind.isEmpty() ? kind : u"<p style='margin:0'>%1</p>"_s.arg(dim(kind));
        html += u"<p style='margin:0 0 3px 0;color:%1'><b>%2</b></p>"_s.arg(
            tone.text.name(), title.toHtmlEscaped());
        for (const QString &line : lines) {
            if (!line.isEmpty())
                html +=
                    u"<p style='margin:0 0 3px 0;color:%1'>%2</p>"_s.arg(theme().text.name(), line);
        }
        m_cards += u"<table cellspacing='0' cellpadding='7' width='100%' style='margin-top:6px' "
                   "bgcolor='%1'><tr><td>%2</td></tr></table>"_s.arg(
                       mixed(theme().base, tone.fill, 0.6).name(), html);
    }
    /// Engine's text of a rule, with chips of its sources.
    QString citation(const QString &rule) const { return cited(rules().pack(), rule, theme()); }
    QString paths(const QStringList &all) const
    {
        QStringList links;
        for (const QString &path : all.mid(0, ListedAtMost))
            links += link(u"path"_s, path, path);
        if (all.size() > ListedAtMost)
            links += Inspector::tr("and %1 more").arg(all.size() - ListedAtMost);
        return links.join(u"<br>"_s);
    }
    QString operationLink(const QString &id) const
    {
        const Operation *operation = id.isEmpty() ? nullptr : m_controller.operations().find(id);
        return operation
            ? link(u"operation"_s, QString::number(operation->serial), titleOf(*operation))
            : id.toHtmlEscaped();
    }
    QString operationLink(quint32 serial) const
    {
        return operationLink(m_controller.operations().idOf(serial));
    }
    QString states(int machine, const QStringList &ids) const
    {
        QStringList chips;
        for (const QString &id : ids) {
            const Rules::StateId state = rules().stateNamed(machine, id);
            chips += state == Rules::None
                ? id.toHtmlEscaped()
                : chip(statusCategoryOf(rules(), state), stateTitle(rules(), state));
        }
        return chips.join(u" "_s);
    }
    /// Title of a state that a resource at a path shows as a word; `absent` without one.
    QString title(const QString &path, const QString &word, const QString &absent = {}) const
    {
        return word.isEmpty() ? absent
                              : wordTitle(rules(), rules().machineForType(typePathOf(path)), word);
    }
    QString text() const
    {
        return m_html + m_cards
            + u"<table cellspacing='0' width='100%' style='margin-top:8px'>%1</table>"_s.arg(
                m_rows);
    }

    QString dim(const QString &text) const
    {
        return u"<span style='color:%1'>%2</span>"_s.arg(theme().dimText.name(), breakable(text));
    }

    /// Returns a path with break opportunities after slashes.
    static QString breakable(const QString &text)
    {
        return text.toHtmlEscaped().replace(u"/"_s, u"/\u200b"_s);
    }

    const Controller &controller() const { return m_controller; }
    const Rules &rules() const { return m_controller.rules(); }

private:
    const Controller &m_controller;
    QString m_html, m_rows, m_cards;
};

/// Text of a value: a string as it is, anything else as JSON.
QString valueText(const QJsonValue &value)
{
    return value.isString() ? value.toString() : QString::fromUtf8(jsonOf(value));
}

/// Lines of an explanation: the rule with chips of its sources, the switches under which it
/// applies, and the other resources that the result depends on.
QStringList rowLines(const Page &page, const Explanation &why)
{
    const Rules &rules = page.rules();
    QStringList lines { page.citation(why.rule) };
    if (why.row) {
        for (const QString &name : why.row->when.keys()) {
            const Switch *row = rules.pack().findSwitch(name);
            if (!row)
                continue;
            //: a switch of the rules, its value
            lines += Inspector::tr("This rule applies while the switch “%1” is %2.")
                         .arg(displayName(name).toHtmlEscaped(),
                             switchValueText(*row, rules.switches().value(name)).toHtmlEscaped())
                + u' ' + page.link(u"switch"_s, name, Inspector::tr("Try another value"));
        }
    }
    if (!why.examined.isEmpty() && !why.other)
        lines += Inspector::tr("The result depends on: %1").arg(page.paths(why.examined));
    return lines;
}

/// Lines of a refusal: the operation in the way, and the rule.
QStringList refusalLines(const Page &page, const Operation &refused)
{
    const Controller &controller = page.controller();
    const std::optional<Explanation> why = whyOperation(controller, refused.serial);
    const Operation *other = why ? controller.operations().find(why->other) : nullptr;
    QStringList lines { u"<b>%1</b> %2"_s.arg(
        refused.httpStatus ? QString::number(refused.httpStatus) : QString(),
        refused.errorCode.toHtmlEscaped()) };
    if (other)
        lines += Inspector::tr("Conflicts with %1.").arg(page.operationLink(other->serial));
    else if (!controller.isLocal())
        lines += why && !why->rule.isEmpty()
            ? Inspector::tr("No operation of this program conflicts. The observations suggest "
                            "an operation of another client.")
            : Inspector::tr("No observation explains the refusal.");
    lines += why ? rowLines(page, *why) : QStringList(page.citation(refused.rule));
    lines += page.dim(refused.errorMessage);
    const std::optional<Request> request = requestToRepeat(controller, refused.serial);
    const Remedy remedy = request ? remedyFor(controller, *request) : Remedy();
    lines += remedy.text.toHtmlEscaped();
    if (!other || other->isOver())
        return lines;
    if (remedy.isToWait)
        lines += page.link(
            u"again"_s, QString::number(refused.serial), Inspector::tr("Fire when it is free"));
    return lines << page.link(u"cancel"_s, QString::number(other->serial),
               Inspector::tr("Cancel %1").arg(titleOf(*other)));
}

/// Serial of the operation whose failure made a required one fail.
quint32 firstFailed(const Controller &controller, quint32 required)
{
    const std::optional<Explanation> why = whyOperation(controller, required);
    return why && why->choice == Explanation::Choice::Required ? firstFailed(controller, why->other)
                                                               : required;
}

/// Returns a sentence that says why an operation had its outcome.
QString choiceText(const Page &page, const Explanation &why)
{
    const QString outcome = why.outcome.toHtmlEscaped(),
                  condition = conditionWords(why.condition).toHtmlEscaped();
    switch (why.choice) {
    case Explanation::Choice::Condition:
        return condition.isEmpty() ? Inspector::tr("The outcome is always %1.").arg(outcome)
                                   : Inspector::tr("The outcome is %1 because of the condition %2.")
                                         .arg(outcome, condition);
    case Explanation::Choice::Option:
        return condition.isEmpty() ? Inspector::tr("The request chose the outcome %1.").arg(outcome)
                                   : Inspector::tr("The request chose %1; then the outcome is %2.")
                                         .arg(condition, outcome);
    case Explanation::Choice::Hand:
        return Inspector::tr("You chose the outcome %1.").arg(outcome);
    case Explanation::Choice::Required:
        return Inspector::tr("It requires %1, which did not succeed; so the outcome is %2.")
            .arg(page.operationLink(firstFailed(page.controller(), why.other)), outcome);
    case Explanation::Choice::Rules:
        break;
    }
    return Inspector::tr("The outcome is %1.").arg(outcome);
}

void answerCard(Page &page, const Operation &refused, const QString &kind)
{
    page.card(Inspector::tr("%1 was refused").arg(titleOf(refused)), refusalLines(page, refused),
        StatusCategory::Failed, kind);
}

/// Adds rows of a resource's last move: its time, the state before, and the operation.
void addMove(Page &page, const Explanation &why)
{
    if (why.kind != Explanation::Kind::Moved)
        return;
    page.plain(Inspector::tr("Since"), timeText(why.time));
    page.plain(
        Inspector::tr("State before"), page.title(why.path, why.before, Inspector::tr("absent")));
    if (why.operation)
        page.row(Inspector::tr("Moved by"), page.operationLink(why.operation));
}

void whyCard(Page &page, const std::optional<Explanation> &why)
{
    if (!why)
        return;
    const QString other = why->other ? page.operationLink(why->other) : QString();
    QString title;
    QStringList lines;
    StatusCategory statusCategory = StatusCategory::Failed;
    switch (why->kind) {
    case Explanation::Kind::Refused:
        return; // answerCard() explains it
    case Explanation::Kind::Canceled:
        title = Inspector::tr("Why was the operation canceled?");
        statusCategory = StatusCategory::Absent;
        lines += why->other ? Inspector::tr("%1 canceled the operation.").arg(other)
                            : Inspector::tr("You canceled the operation by hand.");
        break;
    case Explanation::Kind::Waits: {
        title = Inspector::tr("Why does the operation wait?");
        statusCategory = StatusCategory::Waiting;
        const QString condition = conditionWords(why->condition).toHtmlEscaped();
        if (why->other)
            lines += Inspector::tr("The operation waits until %1 has ended.").arg(other);
        else if (why->condition != Condition() && !condition.startsWith(u'{')) // not in JSON
            lines += Inspector::tr("The operation waits until %1.").arg(condition);
        break;
    }
    case Explanation::Kind::Failed:
        title = Inspector::tr("Why did the operation fail?");
        lines << choiceText(page, *why) << remedyText(page.rules(), *why).toHtmlEscaped();
        break;
    case Explanation::Kind::Moved: {
        const QString is = page.title(why->path, why->after, Inspector::tr("gone"));
        const World &world = page.controller().world();
        const Resource now = world.tree.find(why->path);
        const bool isStill =
            why->after == (now == NoResource ? QString() : shownWord(page.rules(), world, now));
        title = why->after == why->before ? Inspector::tr("Why is the resource in this state?")
            : isStill                     ? Inspector::tr("Why is the resource %1?").arg(is)
            : why->after.isEmpty()        ? Inspector::tr("Why was the resource removed?")
                                   : Inspector::tr("Why did the resource become %1?").arg(is);
        statusCategory = StatusCategory::Working;
        break;
    }
    }
    lines += rowLines(page, *why);
    lines.removeAll(QString());
    if (!lines.isEmpty()) // at a server, the row that moved a resource may be unknown
        page.card(title, lines, statusCategory);
}

/// Returns the time of a violation and the request that showed it, as text.
QString whenText(const JudgedViolation &violation)
{
    const QString time = timeText(violation.time);
    if (const auto *observation = std::get_if<Observation>(&violation.unexplained.what))
        return observation->shownBy.isEmpty()
            ? time
            : Inspector::tr("%1, %2").arg(time, observation->shownBy);
    const Request &request = std::get<RecordedRequest>(violation.unexplained.what).request;
    const Operation operation { .op = request.op, .path = request.path, .client = request.client };
    return Inspector::tr("%1, %2").arg(time, titleOf(operation));
}

/// Adds the card of a violation: what was observed, the broken rule, the shortest history that
/// shows it, and links to the violations before and after it.
void violationCard(Page &page, const LiveConformance &conformance, const JudgedViolation &found)
{
    const qsizetype index = &found - conformance.judgedViolations().data(),
                    count = conformance.judgedViolations().size();
    const qint64 number = conformance.violationCount() - count + index;
    const QString target = QString::number(number);
    QStringList steps;
    if (index > 0)
        steps += page.link(u"violation"_s, QString::number(number - 1), Inspector::tr("Previous"));
    if (index + 1 < count)
        steps += page.link(u"violation"_s, QString::number(number + 1), Inspector::tr("Next"));
    QStringList lines { steps.join(u" · "_s), Page::breakable(violationText(found)),
        page.dim(whenText(found)), page.citation(brokenRuleText(found)) };
    if (found.shortest()) {
        lines += page.link(u"proof"_s, target, Inspector::tr("Save the proof")) + u" · "_s
            + page.link(u"play"_s, target, Inspector::tr("Play the evidence in a simulation"));
        for (const QString &line : shortestTrace(found))
            lines += page.dim(line);
    }
    lines += explainingSwitchesText(found, page.rules()).toHtmlEscaped();
    const bool isBroken = found.verdict && found.verdict->violation
        && !found.verdict->violation->allowed.isEmpty(); // else another client may have acted
    page.card(isBroken ? Inspector::tr("The server broke a rule")
                       : Inspector::tr("The server may have broken a rule"),
        lines, StatusCategory::Failed,
        count > 1 ? Inspector::tr("Verdict %1 of %2").arg(index + 1).arg(count)
                  : Inspector::tr("Verdict"));
}

/// Adds the states that the rules allow, and a violation.
void addConformance(Page &page, const LiveConformance &conformance, const QString &path,
    std::optional<qint64> violation)
{
    const JudgedViolation *found =
        violation ? conformance.judgedViolation(*violation) : conformance.judgedViolationAt(path);
    if (found)
        violationCard(page, conformance, *found);
    page.plain(Inspector::tr("Rules allow"), expectedText(conformance, path));
}

/// Page of a resource. `why`: its last transition, if known. `conformance` adds the expected state
/// and a violation there, by its number, or the newest one.
QString resourceText(const Controller &controller, const QString &path,
    const std::optional<Explanation> &why = {}, const LiveConformance *conformance = nullptr,
    std::optional<qint64> violation = {})
{
    const Rules &rules = controller.rules();
    const World &world = controller.world();
    const Resource resource = world.tree.find(path);
    Page page(controller);
    if (path.isEmpty())
        return {};
    if (resource == NoResource) {
        page.heading(Inspector::tr("Resource"), path.section(u'/', -1));
        page.sentence(Inspector::tr("This resource does not exist now."));
        page.plain(Inspector::tr("Path"), path);
        if (why)
            addMove(page, *why);
        whyCard(page, why);
        if (conformance)
            addConformance(page, *conformance, path, violation);
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
    page.row(Inspector::tr("State"),
        page.chip(isUnknown ? StatusCategory::Absent : statusCategoryOf(rules, state),
            shownTitle(rules, world, resource)));
    if (isUnknown)
        page.plain(QString(),
            Inspector::tr("The server reports this state, which the pack does not define."));
    else if (row && rules.shown(code) != row->id)
        page.plain(Inspector::tr("Internal state"), stateTitle(rules, state));
    if (conformance)
        addConformance(page, *conformance, path, violation);
    if (why)
        addMove(page, *why);
    else if (row && !isUnknown)
        page.plain(QString(), row->about);
    if (const Rules::StateId last = rules.lastOf(code);
        last != Rules::None && last != state && !(why && why->before == rules.state(last).id))
        page.row(Inspector::tr("Last resting state"),
            page.chip(statusCategoryOf(rules, last), stateTitle(rules, last)));
    page.plain(Inspector::tr("Etag"), controller.etag(resource));
    if (const Resource parent = world.tree.parent(resource); parent != NoResource)
        page.row(Inspector::tr("Parent"),
            page.link(u"path"_s, world.tree.path(parent), world.tree.name(parent)));
    if (const quint32 below = world.tree.subtree(resource).size() - 1)
        page.plain(Inspector::tr("Below"), Inspector::tr("%Ln resources", nullptr, int(below)));

    for (const Running *running : world.runningOn(resource)) {
        if (!why || why->operation != running->serial)
            page.row(Inspector::tr("Running"), page.operationLink(running->id));
    }
    page.row(Inspector::tr("Refers to"), page.paths(world.references.value(resource)));
    QStringList referrers;
    for (const Resource other : world.referrers.value(pathKey(world, path)))
        referrers += world.tree.path(other);
    page.row(Inspector::tr("Referred to by"), page.paths(referrers));
    if (const QJsonObject properties = world.properties.value(resource); !properties.isEmpty()) {
        QStringList lines;
        for (auto it = properties.begin(); it != properties.end(); ++it)
            lines += u"%1 %2"_s.arg(it.key(), valueText(*it)).toHtmlEscaped();
        page.row(Inspector::tr("Properties"),
            u"<pre style='margin:0;white-space:pre-wrap'>%1</pre>"_s.arg(lines.join(u'\n')));
    }
    if (type) {
        page.plain(Inspector::tr("About"), type->about);
        page.source(*type);
    }
    whyCard(page, why);
    return page.text();
}

/// Page of the newest violation; without one, of what was checked.
QString verdictPage(const Controller &controller, const LiveConformance &conformance)
{
    Page page(controller);
    if (!conformance.judgedViolations().isEmpty()) {
        violationCard(page, conformance, conformance.judgedViolations().last());
        return page.text();
    }
    const ConformanceMonitor &monitor = conformance.monitor();
    const QLocale locale;
    QStringList lines { Inspector::tr(
                            "%1 requests with their answers and %2 observations follow the rules.")
                            .arg(locale.toString(monitor.answered()),
                                locale.toString(monitor.explained() - monitor.answered())),
        Inspector::tr("Checked since %1.")
            .arg(conformance.start().toLocalTime().toString(u"HH:mm:ss"_s)) };
    for (const ConformanceMonitor::Lost &lost : monitor.lost().mid(0, ListedAtMost)) {
        const Tree &tree = controller.world().tree;
        const QString first = lost.trees.value(0);
        const Resource root = tree.find(first);
        lines += page.dim(u"%1 %2"_s.arg(
            root == NoResource ? first : tree.name(root), expectedText(conformance, first)));
    }
    page.card(
        Inspector::tr("No rule broken"), lines, StatusCategory::Rest, Inspector::tr("Verdict"));
    return page.text();
}

/// Page of an operation that at the time shown is not submitted yet, or too old to be kept, with
/// its target.
QString absentOperationText(const Controller &controller, const Operation &operation)
{
    Page page(controller);
    page.heading(Inspector::tr("Operation %1").arg(operation.id),
        u"%1 %2"_s.arg(operation.op, operation.path.section(u'/', -1)));
    const bool wasSubmitted = operation.serial <= controller.world().lastSerial;
    page.sentence(wasSubmitted ? Inspector::tr("This operation has ended, and its details are no "
                                               "longer stored.")
                               : Inspector::tr("The operation is submitted later than the time "
                                               "shown."));
    page.row(Inspector::tr("Target"), page.link(u"path"_s, operation.path, operation.path));
    page.plain(Inspector::tr("Client"), operation.client);
    page.plain(wasSubmitted ? Inspector::tr("Submitted") : Inspector::tr("Will be submitted"),
        timeText(operation.submitted));
    return page.text() + u"<hr>"_s + resourceText(controller, operation.path);
}

/// Page of a source: document, wording, and the rows that cite it.
QString sourcePage(const Controller &controller, const QString &key)
{
    const Pack &pack = controller.rules().pack();
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    if (source == pack.sourceList.end())
        return {};
    Page page(controller);
    page.heading(Inspector::tr("Source"), source->id);
    page.sentence(source->about);
    page.plain(Inspector::tr("Document"), source->document);
    page.plain(Inspector::tr("Section"), source->section);
    const auto cites = [&](const Row &row) { return row.sources.contains(key); };
    for (const Machine &machine : pack.machines) {
        QStringList states;
        for (const State &state : machine.states) {
            if (cites(state))
                states += state.label.isEmpty() ? state.id : state.label;
        }
        const auto transitions = std::ranges::count_if(machine.transitions, cites);
        if (transitions)
            states += Inspector::tr("%Ln transitions", nullptr, int(transitions));
        page.plain(shownTitle(machine), states.join(u", "_s));
    }
    return page.text() + u"<p>%1</p>"_s.arg(page.link(u"back"_s, {}, Inspector::tr("Back")));
}

} // namespace

QString titleOf(const Operation &operation)
{
    const QString name = operation.path.section(u'/', -1);
    return operation.client.isEmpty()
        ? Inspector::tr("%1 on %2").arg(operation.op, name)
        //: a client, its operation, a resource
        : Inspector::tr("%1’s %2 on %3").arg(operation.client, operation.op, name);
}

QString answerText(const Controller &controller, quint32 serial)
{
    const Operation *operation = controller.operations().find(serial);
    if (!operation)
        return {};
    Page page(controller);
    const QString kind = Inspector::tr("Last answer");
    if (operation->status == Status::Rejected) {
        answerCard(page, *operation, kind);
    } else if (const auto why = whyOperation(controller, serial);
               why && why->kind == Explanation::Kind::Failed) {
        page.card(Inspector::tr("%1 failed at once").arg(titleOf(*operation)),
            QStringList { u"<b>%1</b>"_s.arg(operation->errorCode.toHtmlEscaped()),
                choiceText(page, *why), remedyText(page.rules(), *why).toHtmlEscaped() }
                + rowLines(page, *why) + QStringList { page.dim(operation->errorMessage) },
            StatusCategory::Failed, kind);
    }
    return page.text();
}

QString operationText(const Controller &controller, quint32 serial)
{
    const Operation *operation = controller.operations().find(serial);
    if (!operation)
        return {};
    Page page(controller);
    page.heading(Inspector::tr("Operation %1").arg(operation->id),
        u"%1 %2"_s.arg(operation->op, operation->path.section(u'/', -1)));
    if (operation->status == Status::Rejected) {
        answerCard(page, *operation, Inspector::tr("Answer"));
    } else {
        page.row(Inspector::tr("Status"),
            page.chip(statusCategoryOf(operation->status), statusText(*operation)));
        if (!operation->errorMessage.isEmpty())
            page.warning(operation->errorMessage);
        if (operation->httpStatus)
            page.plain(Inspector::tr("HTTP status"), QString::number(operation->httpStatus));
        page.plain(Inspector::tr("Code"), operation->errorCode);
        page.row(Inspector::tr("Rule"), page.citation(operation->rule));
    }
    page.row(Inspector::tr("Canceled by"), page.operationLink(operation->canceledBy));
    page.row(Inspector::tr("Required by"), page.operationLink(operation->requiredBy));
    page.row(Inspector::tr("Same answer as"), page.operationLink(operation->replayOf));
    page.row(Inspector::tr("Target"), page.link(u"path"_s, operation->path, operation->path));
    page.plain(Inspector::tr("Client"), operation->client);
    // Times at a server are those of our observations.
    const bool isOurs = controller.isLocal();
    page.plain(isOurs               ? Inspector::tr("Submitted")
            : isNotSent(*operation) ? Inspector::tr("Requested")
                                    : Inspector::tr("Sent"),
        timeText(operation->submitted));
    if (operation->started)
        page.plain(isOurs ? Inspector::tr("Started") : Inspector::tr("Observed running"),
            timeText(*operation->started));
    if (operation->ended && !isNotSent(*operation))
        page.plain(isOurs ? Inspector::tr("Ended") : Inspector::tr("Observed ended"),
            timeText(*operation->ended));
    if (operation->attempts)
        page.plain(Inspector::tr("Work steps"), QString::number(operation->attempts));
    const Running *running = controller.world().find(serial);
    if (running && controller.isLocal() && running->due < 0
        && running->phase == Running::Phase::Attempting)
        page.sentence(Inspector::tr("The operation runs until you end it: click an outcome on the "
                                    "chart, or use the operation's menu in the queue."));
    whyCard(page, whyOperation(controller, serial));
    return page.text();
}

QString stateText(const Controller &controller, int machine, const QString &id)
{
    const Rules &rules = controller.rules();
    if (machine < 0 || machine >= rules.pack().machines.size())
        return {};
    const Machine &owner = rules.pack().machines[machine];
    const State *row = owner.state(id);
    if (!row)
        return {};
    Page page(controller);
    page.heading(Inspector::tr("State of %1").arg(shownTitle(owner)),
        row->label.isEmpty() ? row->id : row->label);
    page.sentence(row->about);
    static const QStringList kinds { Inspector::tr("initial: the resource does not exist"),
        Inspector::tr("stable: the resource rests"),
        Inspector::tr("transitional: work is in progress"), Inspector::tr("composite") };
    page.plain(Inspector::tr("Kind"), kinds[qsizetype(row->kind)]);
    if (!row->label.isEmpty())
        page.plain(Inspector::tr("Id"), row->id);
    page.plain(Inspector::tr("Clients see"), row->as);
    page.source(*row);
    for (const Transition &transition : owner.transitions) {
        if (transition.from.contains(id) && rules.applies(transition)) {
            const QString to = transition.refuse.isEmpty()
                ? page.states(machine, transition.to)
                : Inspector::tr("refused: %1").arg(transition.refuse).toHtmlEscaped();
            page.row(Inspector::tr("On %1").arg(transition.on.join(u", "_s)), to);
        }
    }
    return page.text();
}

QString transitionText(const Controller &controller, int machine, int index)
{
    const Rules &rules = controller.rules();
    if (machine < 0 || machine >= rules.pack().machines.size())
        return {};
    const Machine &owner = rules.pack().machines[machine];
    if (index < 0 || index >= owner.transitions.size())
        return {};
    const Transition &row = owner.transitions[index];
    Page page(controller);
    page.heading(Inspector::tr("Transition of %1").arg(shownTitle(owner)),
        row.label.isEmpty() ? row.on.join(u", "_s) : row.label);
    page.sentence(row.about);
    page.row(Inspector::tr("From"),
        row.from.contains(u"*"_s) ? Inspector::tr("any state of an existing resource")
                                  : page.states(machine, row.from));
    page.row(Inspector::tr("To"), page.states(machine, row.to));
    page.plain(Inspector::tr("Trigger"), row.on.join(u", "_s));
    if (row.condition != Condition())
        page.plain(Inspector::tr("Condition"), conditionWords(row.condition));
    page.plain(Inspector::tr("Refuses with"), row.refuse);
    page.plain(Inspector::tr("Changes"), assignmentsText(row.set));
    if (row.limit)
        page.plain(Inspector::tr("Limit"),
            Inspector::tr(
                "%Ln times in one operation; then the operation fails", nullptr, int(*row.limit)));
    if (row.after)
        page.plain(Inspector::tr("Delay"), timeText(row.after));
    page.source(row);
    return page.text();
}

Inspector::Inspector(const Controller &controller, Selection &selection, QWidget *parent)
    : HtmlView(parent), m_controller(controller)
{
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
    const QHash<QString, std::function<void(const QString &)>> acts {
        { u"path"_s, [&selection](const QString &path) { selection.choose(path); } },
        { u"operation"_s, [&selection](const QString &id) { selection.choose(id.toUInt()); } },
        { u"switch"_s, [this](const QString &name) { emit switchAsked(name); } },
        { u"play"_s, [this](const QString &id) { emit traceAsked(id.toLongLong()); } },
        { u"proof"_s, [this](const QString &id) { emit proofAsked(id.toLongLong()); } },
        { u"violation"_s, [this](const QString &id) { emit violationAsked(id.toLongLong()); } },
        { u"again"_s, [this](const QString &id) { emit fireAgainAsked(id.toUInt()); } },
        { u"cancel"_s, [this](const QString &id) { emit cancelAsked(id.toUInt()); } },
        { u"back"_s, [this](const QString &) { show(m_beforeSource); } },
    };
    connect(this, &HtmlView::anchorClicked, this, [this, acts](const QUrl &url) {
        const QString link = url.toString(QUrl::FullyEncoded);
        if (link.startsWith(u"source:"))
            chooseSource(m_controller.rules().pack(), link, this,
                [this](const QString &key) { showSource(key); });
        else if (const auto act = acts.value(link.section(u':', 0, 0)))
            act(QUrl::fromPercentEncoding(link.section(u':', 1).toLatin1()));
    });
    connect(this, &HtmlView::highlighted, this, [this](const QUrl &url) {
        const QString link = url.toString(QUrl::FullyEncoded);
        if (link.startsWith(u"source:"))
            showHtmlTip(QCursor::pos(), sourceTips(m_controller.rules().pack(), link), this);
        else
            QToolTip::hideText();
    });
    connect(&controller, &Controller::rulesChanged, this, [this] { m_whyOf.reset(); });
    connect(&controller.updates(), &Updates::rewound, this, [this] { m_whyOf.reset(); });
    connect(&controller.updates(), &Updates::changed, this, &Inspector::refresh);
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

void Inspector::showSource(const QString &key)
{
    if (m_shown.kind != Shown::Kind::OfSource)
        m_beforeSource = m_shown;
    show({ Shown::Kind::OfSource, key, 0, 0 });
}

void Inspector::showViolation(qint64 number)
{
    if (const JudgedViolation *found = m_conformance->judgedViolation(number))
        show({ Shown::Kind::OfResource, found->unexplained.path, 0, 0, number });
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
    if (const std::pair shown(path, code); m_whyOf != shown) {
        m_why = whyResource(m_controller, path);
        m_whyOf = shown;
    }
    return m_why;
}

QString Inspector::contextText()
{
    switch (m_shown.kind) {
    case Shown::Kind::OfResource:
        return resourceText(
            m_controller, m_shown.name, why(m_shown.name), m_conformance, m_shown.violation);
    case Shown::Kind::OfOperation:
        if (const Operation *operation = m_controller.operations().find(m_shown.number))
            m_operation = *operation;
        else if (m_operation.serial == m_shown.number)
            return absentOperationText(m_controller, m_operation);
        return operationText(m_controller, m_shown.number);
    case Shown::Kind::OfState:
        return stateText(m_controller, m_shown.machine, m_shown.name);
    case Shown::Kind::OfTransition:
        return transitionText(m_controller, m_shown.machine, int(m_shown.number));
    case Shown::Kind::OfSource:
        return sourcePage(m_controller, m_shown.name);
    case Shown::Kind::OfVerdict:
        return verdictPage(m_controller, *m_conformance);
    }
    return {};
}

/// Page of the last request if it was refused or failed as soon as it started, unless the inspector
/// shows it already.
QString Inspector::lastAnswer()
{
    const PersistentList<Operation> &all = m_controller.operations().all();
    qsizetype last = all.size() - 1;
    while (last >= 0 && !all[last].requiredBy.isEmpty())
        --last;
    if (last < 0 || all[last].serial == operation())
        return {};
    const Operation &answered = all[last];
    const bool failsAtOnce =
        answered.status == Status::Failed && answered.started == answered.ended;
    return failsAtOnce || answered.status == Status::Rejected
        ? answerText(m_controller, answered.serial)
        : QString();
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
