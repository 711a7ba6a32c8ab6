// SPDX-License-Identifier: Apache-2.0
#include "views/panels/firebar.h"

#include "model/engine/world.h"
#include "model/items/sentences.h"
#include "model/json/jsontext.h"
#include "model/json/packnames.h"
#include "views/citations.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/inspector.h"
#include "views/panels/requestdetails.h"
#include "views/panels/targetpicker.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace instar {

/// The controller's expected answer to the request, as the fire bar shows it.
struct Verdict
{
    enum class Tone { Accepted, Cancels, Refused };
    Tone tone = Tone::Accepted; ///< colours of the line; Accepted: neutral ones
    QString text;               ///< "accepted. Moves Rack-1 to Updating."
    QString rule;               ///< text and source of the deciding row
};

namespace {

constexpr int DefaultMs = 1000;
constexpr int LeastOperation = 84,
              MostOperation = 220; ///< pixels; the open list shows longer names in full

QString runningText(const Controller &controller, quint32 serial)
{
    const Operation *operation = controller.operations().find(serial);
    return operation ? titleOf(*operation) : controller.operations().idOf(serial);
}

QString refusalText(const Controller &controller, const Admission &admission)
{
    const QString code =
        admission.http ? u"%1 %2"_s.arg(admission.http).arg(admission.code) : admission.code;
    if (!admission.needs.isEmpty())
        return FireBar::tr("refused with %1: requires the condition %2; tick it in Options")
            .arg(code, admission.needs);
    if (admission.other)
        return FireBar::tr("refused with %1: conflicts with %2")
            .arg(code, runningText(controller, admission.other));
    return FireBar::tr("refused with %1: %2").arg(code, admission.message);
}

/// Returns the texts of pack rows, with their sources.
QString rowTexts(const Pack &pack, const QList<const Row *> &rows)
{
    QStringList texts;
    for (const Row *row : rows) {
        const QString source = pack.sourceText(*row);
        const QString text = source.isEmpty() ? row->about : u"%1 [%2]"_s.arg(row->about, source);
        if (!text.trimmed().isEmpty() && !texts.contains(text))
            texts += text;
    }
    return texts.join(u" — "_s);
}

/// Immediate effects of a request: those of its submission and of all further events at that time.
struct AtOnce
{
    qint64 others = 0; ///< number of resources besides the target that change state or are removed
    QStringList names; ///< of these resources, if they are few
    QString failure;   ///< why the operation ends at once as failed; empty: it does not
};

/// Returns the names of the resources, without the one at a path, that have another state or are
/// gone in a later tree.
QStringList changedBesides(const QString &path, const Tree &before, const Tree &after)
{
    QStringList changed;
    for (const Resource resource : before.resources()) {
        const QString other = before.path(resource);
        const Resource now = after.find(other);
        if (other != path && (now == NoResource || after.code(now) != before.code(resource)))
            changed += before.name(resource);
    }
    return changed;
}

AtOnce atOnce(const Controller &controller, const Request &request)
{
    constexpr int mostEvents = 100;
    constexpr qsizetype mostCompared = 1000; // resources; the bar refreshes with each update
    constexpr qsizetype mostNames = 3;
    const Rules &rules = controller.rules();
    const World &before = controller.world();
    AtOnce result;
    quint32 serial = 0;
    QString first; ///< prefix of the failure: resource of the required operation that failed first
    World world = before;
    Event event { .kind = Event::Kind::Submit,
        .time = before.now,
        .request = QSharedPointer<const Request>::create(request) };
    for (int i = 0; i < mostEvents && event.kind != Event::Kind::Wait && event.time <= before.now;
         ++i) {
        Stepped next = step(rules, std::move(world), event);
        world = std::move(next.world);
        for (const Change &change : next.record.changes) {
            if (change.kind == Change::Kind::Started) {
                serial = serial || change.requirer ? serial : change.operation;
                result.others += change.operation == serial ? change.moved - 1 : 0;
            } else if (change.kind == Change::Kind::Closed) {
                if (first.isEmpty() && change.requirer && !change.message.isEmpty())
                    first = u"%1: "_s.arg(change.path.section(u'/', -1));
                if (change.operation == serial)
                    result.failure = first + change.message;
            }
        }
        event = nextEvent(rules, world);
    }
    if (before.tree.size() <= mostCompared) { // the sum may count a resource twice
        const QStringList changed = changedBesides(request.path, before.tree, world.tree);
        result.others = changed.size();
        result.names = changed.size() <= mostNames ? changed : QStringList();
    }
    return result;
}

Verdict verdict(const Controller &controller, const Admission &admission, const Request &request)
{
    using Tone = Verdict::Tone;
    if (admission.verdict != Admission::Verdict::Accepted)
        return { admission.verdict == Admission::Verdict::Refused ? Tone::Refused : Tone::Accepted,
            expectedAnswer(controller, admission, request.path), admission.rule };
    const Rules &rules = controller.rules();
    std::set<CompiledMeeting> meetings; // with running and waiting operations
    findMeetings(rules, controller.world(), request, {}, 0, &meetings);
    QList<const Row *> rows;
    QStringList answer;
    for (const CompiledMeeting &meeting : meetings) {
        if (meeting.conflict == Rules::None)
            continue;
        rows += &rules.pack().conflicts[meeting.conflict];
        answer.removeAll(rows.last()->about);
        answer += rows.last()->about;
    }
    if (rows.isEmpty() && admission.transition >= 0)
        rows += &rules.row(rules.transition(admission.transition));
    const AtOnce now = atOnce(controller, request);
    if (!now.failure.isEmpty())
        return { Tone::Refused, FireBar::tr("accepted, but fails at once: %1.").arg(now.failure),
            {} };
    answer.prepend(expectedAnswer(controller, admission, request.path, now.others, now.names));
    return { admission.cancels.empty() ? Tone::Accepted : Tone::Cancels,
        answer.join(u' ').trimmed(), rowTexts(rules.pack(), rows) };
}

/// Returns a server's expected answer if operations of unknown clients may be running in the
/// path's tree.
Verdict verdictAmongOthers(
    const Controller &controller, const Admission &admission, const Request &request)
{
    const Verdict alone = verdict(controller, admission, request);
    const Rules &rules = controller.rules();
    const World &world = controller.world();
    const Resource external = alone.tone == Verdict::Tone::Refused
        ? NoResource
        : farthestExternal(rules, world, request.path);
    if (external == NoResource)
        return alone;
    return { Verdict::Tone::Cancels,
        FireBar::tr("may be refused, because another client's operation has moved %1 to %2. If "
                    "not: %3")
            .arg(world.tree.name(external), shownTitle(rules, world, external), alone.text),
        {} };
}

/// Combo box that calls a function before its list opens.
class OperationBox : public QComboBox
{
public:
    explicit OperationBox(std::function<void()> prepare) : m_prepare(std::move(prepare)) { }
    void showPopup() override
    {
        m_prepare();
        QComboBox::showPopup();
    }

private:
    std::function<void()> m_prepare;
};

/// Returns the error in a request's body and its position; empty: none, or the operation takes no
/// body. In a pack without wire rows, every operation takes a body.
QString bodyProblem(const Rules &rules, const Request &request)
{
    const QList<WireRequest> &rows = rules.pack().wire.requests;
    const bool isRead = rows.isEmpty() || std::ranges::any_of(rows, [&](const WireRequest &row) {
        return row.ask == request.op && !row.body.isEmpty();
    });
    if (!isRead || request.body.isEmpty())
        return {};
    Diagnostic fault;
    const auto document = JsonText::parse(request.body, {}, {}, &fault);
    if (!document)
        return FireBar::tr("line %1, column %2: %3")
            .arg(fault.line)
            .arg(fault.column)
            .arg(fault.text);
    return document->root().is(Value::Kind::Object)
        ? QString()
        : FireBar::tr("line 1: expected an object, found %1").arg(document->root().kindName());
}

} // namespace

QString expectedAnswer(const Controller &controller, const Admission &admission,
    const QString &path, qint64 others, const QStringList &names)
{
    switch (admission.verdict) {
    case Admission::Verdict::Refused:
        return refusalText(controller, admission);
    case Admission::Verdict::Replayed:
        return FireBar::tr("gets the stored answer of %1, which has the same request id.")
            .arg(runningText(controller, admission.other));
    case Admission::Verdict::Observed:
        return FireBar::tr("done at once; no resource changes its state.");
    case Admission::Verdict::Waits:
        return FireBar::tr("accepted. Waits until %1 has ended; then the rules are checked again.")
            .arg(runningText(controller, admission.other));
    case Admission::Verdict::Accepted:
        break;
    }
    const QString name = path.section(u'/', -1),
                  state =
                      stateTitle(controller.rules(), controller.rules().stateOf(admission.entered));
    QString text = admission.target == NoResource
        ? FireBar::tr("accepted. Creates %1 in the state %2").arg(name, state)
        : FireBar::tr("accepted. Moves %1 to %2").arg(name, state);
    if (others > 0)
        text += names.isEmpty() ? FireBar::tr(", and %Ln other resources", nullptr, int(others))
                                //: names of other resources
                                : FireBar::tr(", and %1").arg(names.join(u", "_s));
    QStringList canceled;
    for (const Admission::Cancel &cancel : admission.cancels)
        canceled += runningText(controller, cancel.serial);
    if (!canceled.isEmpty())
        text += FireBar::tr("; cancels %1").arg(canceled.join(u", "_s));
    return text + u'.';
}

FireBar::FireBar(Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_operation(new OperationBox([this] { greyRefused(); })),
      m_target(new TargetPicker(controller)),
      m_client(new QComboBox),
      m_outcome(new QComboBox),
      m_duration(new QSpinBox),
      m_optionsButton(wordButton({}, tr("Options"), {})),
      m_addToBurst(new QPushButton(tr("+ Burst"))),
      m_fire(new QPushButton(tr("Fire"))),
      m_details(new RequestDetails(controller)),
      m_preview(new QFrame),
      m_prefix(new QLabel(tr("If you fire now:"))),
      m_text(new ElidedLabel),
      m_chips(new HtmlLabel)
{
    m_pack = controller.rules().pack();
    offerOutcomes();
    offerOperations();
    m_operation->setToolTip(tr("Operation"));
    m_operation->setAccessibleName(tr("Operation"));
    m_operation->setMinimumWidth(LeastOperation); // a narrow window cuts names off
    m_operation->setMaximumWidth(MostOperation);
    m_operation->setSizeAdjustPolicy(QComboBox::AdjustToContents); // names may change
    m_target->setMinimumWidth(130); // the fields of a new resource may be narrow
    m_outcome->setToolTip(tr("Outcome of the work"));
    m_outcome->setAccessibleName(tr("Outcome"));
    m_client->setEditable(true);
    m_client->addItems({ u"A"_s, u"B"_s, u"C"_s });
    m_client->setToolTip(tr("Client that sends the request"));
    m_client->setAccessibleName(tr("Client"));
    m_client->setMinimumContentsLength(2);
    m_client->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_duration->setRange(0, 3'600'000);
    m_duration->setSingleStep(500);
    m_duration->setSuffix(tr(" ms"));
    m_duration->setToolTip(tr("How long one attempt takes, in virtual time"));
    m_duration->setAccessibleName(tr("Duration of an attempt"));
    m_optionsButton->setObjectName(u"more"_s);
    m_addToBurst->setObjectName(u"arm"_s);
    m_addToBurst->setToolTip(textWithKeys(tr("Add the operation to the burst, which fires several "
                                             "operations together"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_Return));
    m_fire->setObjectName(u"primary"_s);
    m_fire->setToolTip(textWithKeys(tr("Fire the operation"), Qt::CTRL | Qt::Key_Return));

    auto *row = filled(new QHBoxLayout,
        //: "PUT on something as client A"
        { m_operation, { m_target, 1 }, dimLabel(tr("as")), m_client, m_optionsButton, m_addToBurst,
            m_fire });
    buildPreview();
    filled(new QVBoxLayout(this), { row, m_preview });
    buildOptions();

    connect(m_operation, &QComboBox::activated, this, [this] { m_isChosen = true; });
    connect(m_operation, &QComboBox::currentTextChanged, this, [this] {
        showUsualDuration();
        refresh();
    });
    connect(m_target, &TargetPicker::changed, this, &FireBar::refresh);
    connect(m_target, &TargetPicker::pathEdited, this, [this, &selection](const QString &path) {
        if (m_controller.world().tree.find(path) != NoResource)
            selection.choose(path);
    });
    connect(&selection, &Selection::resourceChosen, this, [this](const QString &path) {
        const bool isOther = path != m_target->path();
        m_target->setPath(path);
        // An operation that conflicts with a running one stays: the user may want to see that.
        if (isOther && !m_isChosen && m_controller.isLocal()
            && !m_controller.admission(request()).other)
            preselect();
    });
    connect(m_target, &TargetPicker::nameEntered, this, &FireBar::fire);
    connect(m_client, &QComboBox::currentTextChanged, this, &FireBar::refresh);
    connect(m_outcome, &QComboBox::currentIndexChanged, this, [this] {
        m_duration->setEnabled(!waitsForUser());
        refresh();
    });
    connect(m_duration, &QSpinBox::valueChanged, this, &FireBar::refresh);
    connect(m_optionsButton, &QToolButton::clicked, this, &FireBar::showOptions);
    connect(m_details, &RequestDetails::changed, this, &FireBar::refresh);
    connect(m_addToBurst, &QPushButton::clicked, this, &FireBar::addToBurst);
    connect(m_fire, &QPushButton::clicked, this, &FireBar::fire);
    connect(&controller.updates(), &Updates::rewound, this, &FireBar::updateForRules);
    connect(&controller.updates(), &Updates::changed, this, &FireBar::refresh);
    showUsualDuration();
    refresh();
    whenThemed(this, [this] { refresh(); });
}

void FireBar::updateForRules()
{
    m_accepted.reset();
    const Pack &pack = m_controller.rules().pack();
    if (pack == m_pack)
        return;
    m_pack = pack;
    offerOperations();
    offerOutcomes();
    m_details->updateForRules();
}

/// Lists the possible outcomes of the operation; keeps the chosen outcome if the list has it.
void FireBar::offerOutcomes()
{
    const QSignalBlocker silent(m_outcome);
    const Rules &rules = m_controller.rules();
    const QVariant chosen = m_outcome->currentData();
    m_outcome->clear();
    const auto add = [this](const QString &text, const QString &id, const QString &tip) {
        m_outcome->addItem(text, id);
        m_outcome->setItemData(m_outcome->count() - 1, tip, Qt::ToolTipRole);
    };
    const QString usual = rules.triggerName(rules.succeeded), bad = rules.triggerName(rules.failed);
    add(usual, {}, usual);
    add(bad, bad, bad);
    for (const Outcome &row : rules.pack().outcomes) {
        const Rules::TriggerId trigger = rules.trigger(row.id);
        const QList<Rules::TriggerId> known { Rules::None, rules.succeeded, rules.failed,
            rules.canceled, rules.rejected, rules.invalid, rules.retried };
        if (!known.contains(trigger) && rules.applies(row))
            add(row.id, row.id, row.id);
    }
    add(tr("decide by hand"), u"?"_s,
        tr("The work runs until you choose its outcome, on the chart or in the queue's menu"));
    m_outcome->setCurrentIndex(std::max(m_outcome->findData(chosen), 0));
}

void FireBar::offerOperations()
{
    const Rules &rules = m_controller.rules();
    QStringList names = m_pack.operationNames();
    const QStringList all = names;
    names.removeIf(
        [&](const QString &name) { return !rules.knows(m_machine, rules.trigger(name)); });
    const QString chosen = operation();
    const QSignalBlocker silent(m_operation);
    m_operation->clear();
    m_operation->addItems(names.isEmpty() ? all : names);
    if (m_operation->findText(chosen) >= 0)
        m_operation->setCurrentText(chosen);
    else
        preselect();
    showUsualDuration();
}

void FireBar::greyRefused()
{
    for (int i = 0; i < m_operation->count(); ++i) {
        const Admission admission = m_controller.admission(request(m_operation->itemText(i)));
        const bool refused = admission.verdict == Admission::Verdict::Refused;
        m_operation->setItemData(
            i, refused ? QVariant(theme().dimText) : QVariant(), Qt::ForegroundRole);
        m_operation->setItemData(
            i, refused ? refusalText(m_controller, admission) : QString(), Qt::ToolTipRole);
    }
}

/// Sets the usual duration of the operation, unless the user chose one.
void FireBar::showUsualDuration()
{
    const Rules::TriggerId trigger = m_controller.rules().trigger(operation());
    if (trigger == Rules::None)
        return;
    const bool isChosen = m_duration->value() != m_usualDuration;
    // An operation without a duration in the pack lasts long enough to be seen.
    const qint64 usual = m_controller.rules().duration(trigger);
    m_usualDuration = int(std::min<qint64>(usual > 0 ? usual : DefaultMs, m_duration->maximum()));
    if (!isChosen)
        m_duration->setValue(m_usualDuration);
}

void FireBar::buildPreview()
{
    m_preview->setObjectName(u"verdict"_s);
    m_prefix->setObjectName(u"verdictText"_s); // the style sheet gives it the tone of its frame
    setBold(m_prefix);
    m_text->setObjectName(u"forecast"_s);
    m_text->setAccessibleName(tr("What the controller would answer"));
    m_chips->setObjectName(u"verdictSources"_s);
    m_chips->setAccessibleName(tr("Sources of the rule"));
    m_chips->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    offerSources(m_chips, m_controller, [this](const QString &key) { emit sourceAsked(key); });
    filled(new QHBoxLayout(m_preview), { m_prefix, { m_text, 1 }, m_chips }, gap::normal,
        { gap::normal, gap::small, gap::normal, gap::small });
    m_preview->setFixedHeight(m_prefix->sizeHint().height() + 2 * gap::small);
}

void FireBar::buildOptions()
{
    m_options = new QFrame(this, Qt::Popup);
    m_options->setFrameShape(QFrame::StyledPanel);
    m_options->setAttribute(Qt::WA_NoMouseReplay); // the button that opened it closes it
    //: "that ends succeeded", "that ends after 1000 ms"
    QWidget *plan = boxed(filled(new QHBoxLayout,
        { dimLabel(tr("ends")), m_outcome, dimLabel(tr("after")), m_duration, Part::rest(1) },
        gap::normal));
    filled(new QVBoxLayout(m_options), { plan, m_details }, gap::normal,
        { gap::normal, gap::normal, gap::normal, gap::normal });
    plan->setVisible(m_controller.isLocal()); // a real server decides by itself
    m_optionsButton->setToolTip(m_controller.isLocal()
            ? tr("More fields of the request: outcome, duration, preconditions, failures, headers, "
                 "body, conditions")
            : tr("More fields of the request: preconditions, headers, body, references"));
}

/// Opens the popup of options below its button, within the window.
void FireBar::showOptions()
{
    m_options->adjustSize();
    const int right = window()->mapToGlobal(QPoint(window()->width(), 0)).x() - gap::normal;
    QPoint corner = m_optionsButton->mapToGlobal(QPoint(0, m_optionsButton->height() + 2));
    corner.setX(std::max(
        std::min(corner.x(), right - m_options->width()), window()->mapToGlobal(QPoint()).x()));
    m_options->move(corner);
    m_options->show();
    (m_controller.isLocal() ? static_cast<QWidget *>(m_outcome) : m_details)->setFocus();
}

QString FireBar::operation() const
{
    return m_operation->currentText();
}

void FireBar::setOperation(const QString &operation)
{
    if (m_operation->findText(operation) < 0 && m_pack.operationNames().contains(operation))
        m_operation->addItem(operation);
    m_operation->setCurrentText(operation);
    m_isChosen = true;
}

void FireBar::preselect()
{
    const auto isTaken = [this](const QString &operation) { // whatever the options say
        const Request plain { .op = operation, .path = m_target->path() };
        return m_controller.admission(plain).verdict != Admission::Verdict::Refused;
    };
    if (operation().isEmpty() || (m_isChosen && isTaken(operation())))
        return;
    for (int i = 0; i < m_operation->count(); ++i) {
        if (isTaken(m_operation->itemText(i)))
            return m_operation->setCurrentIndex(i);
    }
}

void FireBar::showTarget(const QString &path)
{
    m_target->showExisting(path);
}

void FireBar::describeNew(const QString &parentPath)
{
    m_target->describeNew(parentPath);
}

void FireBar::describe(const Request &request)
{
    setOperation(request.op);
    if (!request.client.isEmpty())
        m_client->setCurrentText(request.client);
    showTarget(request.path);
}

bool FireBar::waitsForUser() const
{
    return m_controller.isLocal() && m_outcome->currentData() == u"?"_s;
}

Request FireBar::request(const QString &operation) const
{
    Request request;
    m_details->write(request);
    request.op = operation.isEmpty() ? m_operation->currentText() : operation;
    request.path = m_target->path();
    request.client = m_client->currentText().trimmed();
    if (m_controller.isLocal()) {
        request.hang = waitsForUser();
        request.outcome = waitsForUser() ? QString() : m_outcome->currentData().toString();
        request.duration = m_duration->value();
    }
    return request;
}

QString FireBar::verdictText() const
{
    return m_sources.isEmpty() ? m_text->text()
                               : m_text->text() + u" — "_s + m_sources.join(u", "_s);
}

void FireBar::showProblem(const QString &sentence)
{
    showVerdict({ Verdict::Tone::Accepted, sentence, {} });
    m_prefix->hide();
    m_addToBurst->setEnabled(false);
    m_fire->setEnabled(false);
}

void FireBar::showVerdict(const Verdict &shown)
{
    m_prefix->show();
    m_text->setText(shown.text);
    const Pack &pack = m_controller.rules().pack();
    const auto [words, keys] = splitSources(pack, shown.rule);
    m_text->setToolTip(words.isEmpty() ? shown.text : shown.text + u'\n' + words);
    m_chips->setHtml(mainChips(keys, theme()));
    m_chips->setVisible(!keys.isEmpty());
    m_sources = keys;
    m_addToBurst->setEnabled(true);
    m_fire->setEnabled(true);
    setTone(m_preview, m_prefix,
        shown.tone == Verdict::Tone::Refused       ? u"refused"_s
            : shown.tone == Verdict::Tone::Cancels ? u"cancels"_s
                                                   : u"accepted"_s);
}

void FireBar::refresh()
{
    const QString path = m_target->path();
    // New resources of a collection share one draft, which therefore survives a new name.
    m_details->setTarget(path, m_target->isNew() ? path.left(path.lastIndexOf(u'/') + 1) : path);
    const int machine = m_controller.rules().machineForType(typePathOf(path));
    if (machine != m_machine) {
        m_machine = machine;
        offerOperations();
    }
    const bool isPlanned = m_controller.isLocal()
        && (m_outcome->currentIndex() > 0 || m_duration->value() != m_usualDuration);
    const int count = m_details->count() + isPlanned;
    m_optionsButton->setText(count ? tr("Options (%1)").arg(count) : tr("Options"));

    const Request composed = request();
    m_blocked = blockedBy(composed);
    if (composed.path.isEmpty() && !m_blocked.isEmpty()) {
        showProblem(m_blocked);
    } else if (composed.path.isEmpty()) {
        showProblem(tr("Select a resource in the tree, or describe a new one."));
    } else if (const QString wrong = pathProblem(composed.path); !wrong.isEmpty()) {
        showProblem(m_target->isNew() ? tr("Choose a type and a name without \"/\".")
                                      : tr("Target: %1.").arg(wrong));
    } else if (composed.op.isEmpty()) {
        showProblem(tr("The pack has no operations yet."));
    } else if (const QString header = m_details->problem(); !header.isEmpty()) {
        showProblem(header);
    } else if (const QString broken = bodyProblem(m_controller.rules(), composed);
               !broken.isEmpty()) {
        // The user may still send an invalid body to a real server.
        showVerdict({ Verdict::Tone::Refused,
            tr("refused: the body is not a JSON object, %1").arg(broken), {} });
        m_addToBurst->setEnabled(!m_controller.isLocal());
        m_fire->setEnabled(!m_controller.isLocal());
    } else {
        const Admission admitted = m_controller.admission(composed);
        Verdict shown = m_controller.isLocal()
            ? verdict(m_controller, admitted, composed)
            : verdictAmongOthers(m_controller, admitted, composed);
        if (shown.tone == Verdict::Tone::Refused && m_accepted == composed)
            shown.tone = Verdict::Tone::Accepted; // no alarm: the same request was just accepted
        showVerdict(shown);
    }
    if (!m_blocked.isEmpty() && m_fire->isEnabled()) {
        showVerdict({ Verdict::Tone::Cancels,
            tr("%1. Once that is solved: %2").arg(m_blocked, m_text->text()), {} });
        m_prefix->hide();
        m_fire->setEnabled(false);
    }
    emit requestChanged();
}

QString FireBar::blockedBy(const Request &request) const
{
    return m_whyBlocked ? m_whyBlocked(request) : QString();
}

void FireBar::setWhyBlocked(WhyBlocked whyBlocked)
{
    m_whyBlocked = std::move(whyBlocked);
    refreshBlocked();
}

void FireBar::refreshBlocked()
{
    if (blockedBy(request()) != m_blocked)
        refresh();
}

void FireBar::fire()
{
    const Request composed = request();
    if (!m_blocked.isEmpty() && m_guard)
        m_guard(composed); // shows the reason
    if (!m_fire->isEnabled())
        return;
    if (m_guard && !m_guard(composed))
        return;
    const quint32 serial = m_controller.submit(m_completion ? m_completion(composed) : composed);
    const Operation *operation = m_controller.operations().find(serial);
    const bool isRefused = operation && operation->status == Status::Rejected;
    m_accepted = isRefused ? std::nullopt : std::optional(composed);
    if (m_target->isNew() && m_controller.world().tree.find(composed.path) != NoResource)
        m_target->showExisting(composed.path);
    emit fired(serial, composed.path);
}

void FireBar::addToBurst()
{
    if (m_addToBurst->isEnabled())
        emit addedToBurst(request());
}

} // namespace instar
