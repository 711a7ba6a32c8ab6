// SPDX-License-Identifier: Apache-2.0
#include "views/panels/firebar.h"

#include "model/engine/world.h"
#include "model/json/jsontext.h"
#include "model/json/scenariofile.h"
#include "views/citations.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/inputs.h"
#include "views/panels/requestdetails.h"
#include "views/panels/targetpicker.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

/// What the controller would answer, as the fire bar says it.
struct Verdict
{
    enum class Tone { Accepted, Cancels, Refused };
    Tone tone = Tone::Accepted;
    QString text;   ///< "accepted", "cancels operation op3", "refused: 409 ..."
    QString detail; ///< the message of a refusal
    QString rule;   ///< the row that speaks, with its source
    bool operator==(const Verdict &) const = default;
};

namespace {

constexpr int SeenMs = 1000;
constexpr int LeastVerdict = 260, MostVerdict = 620;     ///< pixels of its first words
constexpr int LeastOperation = 120, MostOperation = 260; ///< pixels; what is longer is in its list

QString rowText(const Rules &rules, const Row &row)
{
    const QString source = rules.pack().sourceText(row);
    if (row.about.isEmpty())
        return source;
    return source.isEmpty() ? row.about : u"%1 [%2]"_s.arg(row.about, source);
}

Verdict verdict(const Rules &rules, const World &world, const Admission &admission)
{
    using Tone = Verdict::Tone;
    const auto idOf = [&](quint32 serial) {
        const Running *running = world.find(serial);
        return running ? running->id : QString::number(serial);
    };
    QStringList details;
    switch (admission.verdict) {
    case Admission::Verdict::Refused: {
        const QString code =
            admission.http ? u"%1 %2"_s.arg(admission.http).arg(admission.code) : admission.code;
        if (!admission.needs.isEmpty())
            return { Tone::Refused,
                FireBar::tr("would be refused: %1; needs %2 (tick it under More)")
                    .arg(code, admission.needs),
                admission.message, admission.rule };
        return { Tone::Refused, FireBar::tr("would be refused: %1").arg(code), admission.message,
            admission.rule };
    }
    case Admission::Verdict::Replayed:
        return { Tone::Accepted, FireBar::tr("answered again as %1 was").arg(idOf(admission.other)),
            FireBar::tr("Its request id is known."), {} };
    case Admission::Verdict::Observed:
        return { Tone::Accepted, FireBar::tr("done at once"), FireBar::tr("It moves nothing."),
            {} };
    case Admission::Verdict::Waits:
        return { Tone::Accepted, FireBar::tr("accepted: waits for %1").arg(idOf(admission.other)),
            FireBar::tr("It is judged again when that one has ended."), admission.rule };
    case Admission::Verdict::Accepted:
        break;
    }

    QStringList canceled;
    for (size_t i = 0; i < admission.cancels.size(); ++i) {
        canceled += idOf(admission.cancels[i]);
        const int row = admission.cancelRows[i];
        const QString why = row >= 0 ? rowText(rules, rules.pack().conflicts[row]) : QString();
        if (!why.isEmpty() && !details.contains(why))
            details += why;
    }
    const QString state = rules.state(rules.stateOf(admission.entered)).id;
    const QString moves = admission.target == NoResource
        ? FireBar::tr("accepted: creates it, and moves it to %1").arg(state)
        : FireBar::tr("accepted: moves it to %1").arg(state);
    if (details.isEmpty() && admission.transition >= 0) {
        if (const QString why = rowText(rules, rules.row(rules.transition(admission.transition)));
            !why.isEmpty())
            details += why;
    }
    if (canceled.isEmpty())
        return { Tone::Accepted, moves, {}, details.join(u" — "_s) };
    return { Tone::Cancels, FireBar::tr("%1, and cancels %2").arg(moves, canceled.join(u", "_s)),
        {}, details.join(u" — "_s) };
}

/// The same at a server, where clients that nobody sees here may have something at work in the tree
/// of the path.
Verdict verdictAmongOthers(
    const Rules &rules, const World &world, const Admission &admission, const QString &path)
{
    const Verdict alone = verdict(rules, world, admission);
    if (alone.tone == Verdict::Tone::Refused)
        return alone;
    const Resource spontaneous = farthestExternal(rules, world, path);
    if (spontaneous == NoResource)
        return alone;
    return { Verdict::Tone::Cancels,
        FireBar::tr("may be refused: %1 is %2, for which nobody asked here")
            .arg(world.tree.path(spontaneous).section(u'/', -1),
                shownWord(rules, world, spontaneous)),
        FireBar::tr("Otherwise %1").arg(alone.text), {} };
}

/// What is wrong with a body that the controller reads with this operation, with its place; empty:
/// nothing, or it reads none. Where a pack has no wire rows it reads every body.
QString bodyProblem(const Rules &rules, const Request &request)
{
    const QList<WireRequest> &rows = rules.pack().wire.requests;
    const bool isRead = rows.isEmpty() || std::ranges::any_of(rows, [&](const WireRequest &row) {
        return row.ask == request.op && !row.body.isEmpty();
    });
    if (!isRead || request.body.isEmpty())
        return {};
    const auto document = JsonText::parse(request.body, {});
    if (document && document->root().is(Value::Kind::Object))
        return {};
    if (document)
        return FireBar::tr("line 1: it is %1").arg(document->root().kindName());
    static const QRegularExpression place(u"^:(\\d+):(\\d+): "_s);
    const auto found = place.match(document.error());
    return FireBar::tr("line %1, column %2: %3")
        .arg(found.captured(1), found.captured(2), document.error().mid(found.capturedLength()));
}

} // namespace

FireBar::FireBar(Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_operation(new QComboBox),
      m_target(new TargetPicker(controller)),
      m_client(new QComboBox),
      m_outcome(new OutcomeBox),
      m_duration(new QSpinBox),
      m_more(wordButton(u"more"_s, tr("More"), {})),
      m_arm(new QPushButton(tr("Arm"))),
      m_fire(new QPushButton(tr("Fire"))),
      m_details(new RequestDetails(controller))
{
    m_pack = controller.rules().pack();
    m_outcome->setRules(controller.rules());
    offerOperations();
    m_operation->setToolTip(tr("Operation"));
    m_operation->setAccessibleName(tr("Operation"));
    m_operation->setMinimumWidth(LeastOperation); // a narrow window cuts rather than grows
    m_operation->setMaximumWidth(MostOperation);
    m_operation->setSizeAdjustPolicy(QComboBox::AdjustToContents); // names may change
    m_target->setMinimumWidth(200); // the parts of a new resource may be squeezed
    m_client->setEditable(true);
    m_client->addItems({ u"A"_s, u"B"_s, u"C"_s });
    m_client->setToolTip(tr("Who asks"));
    m_client->setAccessibleName(tr("Client"));
    m_client->setMinimumContentsLength(3);
    m_client->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_duration->setRange(0, 3'600'000);
    m_duration->setSingleStep(500);
    m_duration->setSuffix(tr(" ms"));
    m_duration->setToolTip(tr("How long one attempt takes, in virtual time"));
    m_duration->setAccessibleName(tr("Duration of an attempt"));
    m_more->setObjectName(u"more"_s);
    m_more->setCheckable(true);
    m_arm->setObjectName(u"arm"_s);
    m_arm->setToolTip(tr("Keep it, to be fired together with others"));
    m_fire->setObjectName(u"primary"_s);
    m_fire->setToolTip(textWithKeys(tr("Fire the operation"), Qt::CTRL | Qt::Key_Return));
    m_details->hide();

    auto *row = filled(new QHBoxLayout, { m_operation, { m_target, 1 } }, gap::normal);
    //: "PUT on something as client A"
    row->addWidget(dimLabel(tr("as")));
    row->addWidget(m_client);
    //: "that ends succeeded", "that ends after 1000 ms"
    m_plan = { dimLabel(tr("ends")), m_outcome, dimLabel(tr("after")), m_duration };
    for (QWidget *part : std::as_const(m_plan))
        row->addWidget(part);
    row->addWidget(m_more);
    row->addWidget(m_arm);
    row->addWidget(m_fire);

    filled(new QVBoxLayout(this), { row, buildVerdict(), m_details });

    connect(m_operation, &QComboBox::currentTextChanged, this, [this] {
        showUsualDuration();
        refresh();
    });
    connect(m_target, &TargetPicker::changed, this, &FireBar::refresh);
    connect(m_target, &TargetPicker::pathEdited, this, [this, &selection](const QString &path) {
        if (m_controller.world().tree.find(path) != NoResource)
            selection.choose(path);
    });
    connect(&selection, &Selection::resourceChosen, m_target, &TargetPicker::setPath);
    connect(m_target, &TargetPicker::entered, this, &FireBar::fire);
    connect(m_client, &QComboBox::currentTextChanged, this, &FireBar::refresh);
    connect(m_outcome, &QComboBox::currentIndexChanged, this, [this] {
        m_duration->setEnabled(!asks());
        refresh();
    });
    connect(m_duration, &QSpinBox::valueChanged, this, &FireBar::refresh);
    connect(m_more, &QToolButton::toggled, this, [this](bool on) {
        m_details->setVisible(on);
        m_more->setIcon(icon(on ? u"less"_s : u"more"_s));
    });
    connect(m_details, &RequestDetails::changed, this, &FireBar::refresh);
    connect(m_arm, &QPushButton::clicked, this, &FireBar::arm);
    connect(m_fire, &QPushButton::clicked, this, &FireBar::fire);
    connect(&controller.updates(), &Updates::happened, this, &FireBar::refresh);
    connect(&controller.updates(), &Updates::rewound, this, [this] {
        takeRules();
        refresh();
    });
    showUsualDuration();
    setPlansWork(true);
}

void FireBar::takeRules()
{
    const Pack &pack = m_controller.rules().pack();
    if (pack == m_pack)
        return;
    m_pack = pack;
    offerOperations();
    const QSignalBlocker silent(m_outcome);
    m_outcome->setRules(m_controller.rules());
    m_details->takeRules();
    showUsualDuration();
}

void FireBar::offerOperations()
{
    const Rules &rules = m_controller.rules();
    QStringList own, others;
    for (const QString &name : m_pack.operationNames())
        (rules.knows(m_machine, rules.trigger(name)) ? own : others) += name;
    const QString chosen = operation();
    const QSignalBlocker silent(m_operation);
    m_operation->clear();
    m_operation->addItems(own);
    if (!own.isEmpty() && !others.isEmpty())
        m_operation->insertSeparator(int(own.size()));
    m_operation->addItems(others);
    if (!chosen.isEmpty())
        m_operation->setCurrentText(chosen);
}

/// A duration that somebody chose stays as it is.
void FireBar::showUsualDuration()
{
    const Rules::TriggerId trigger = m_controller.rules().trigger(operation());
    if (trigger == Rules::None)
        return;
    const bool isChosen = m_duration->value() != m_usualDuration;
    // What takes no time by itself is to be seen all the same.
    const qint64 usual = m_controller.rules().duration(trigger);
    m_usualDuration = int(std::min<qint64>(usual > 0 ? usual : SeenMs, m_duration->maximum()));
    if (!isChosen)
        m_duration->setValue(m_usualDuration);
}

QWidget *FireBar::buildVerdict()
{
    m_verdict = new QFrame;
    m_verdict->setObjectName(u"verdict"_s);
    m_verdictIcon = new QLabel;
    m_verdictText = new QLabel;
    m_verdictText->setObjectName(u"verdictText"_s);
    m_verdictText->setTextInteractionFlags(
        Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_verdictText->setAccessibleName(tr("What the controller would answer"));
    m_verdictDetail = new ElidedLabel;
    m_verdictRule = new ElidedLabel;
    m_verdictRule->setObjectName(u"verdictRule"_s);
    m_verdictRule->setAccessibleName(tr("The rule that says so"));
    m_verdictRule->setProperty("dim", true);
    m_verdictSources = new HtmlLabel;
    m_verdictSources->setObjectName(u"verdictSources"_s);
    m_verdictSources->setAccessibleName(tr("Where the rule is written"));
    m_verdictSources->setTextInteractionFlags(
        Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_verdictSources, &QLabel::linkActivated, this,
        [this](const QString &link) { emit sourceAsked(sourceKey(link)); });
    tellSources(m_verdictSources, [this]() -> const Pack & { return m_controller.rules().pack(); });
    auto *layout = new QGridLayout(m_verdict);
    layout->setContentsMargins(gap::normal, gap::small, gap::normal, gap::small);
    layout->setHorizontalSpacing(gap::normal);
    layout->setVerticalSpacing(0);
    layout->addWidget(m_verdictIcon, 0, 0);
    layout->addWidget(m_verdictText, 0, 1);
    layout->addWidget(m_verdictDetail, 0, 2);
    layout->addWidget(m_verdictRule, 1, 1, 1, 2);
    layout->addWidget(m_verdictSources, 0, 3, 2, 1, Qt::AlignRight | Qt::AlignVCenter);
    layout->setColumnStretch(2, 1);
    return m_verdict;
}

/// What is too long for the window is cut, and whole in the tooltip.
void FireBar::sayVerdict(const QString &text)
{
    m_said = text;
    fitVerdict();
}

void FireBar::fitVerdict()
{
    const int chips = m_verdictSources->isHidden() ? 0 : m_verdictSources->sizeHint().width();
    const int room =
        m_verdict->width() - chips - m_verdictIcon->sizeHint().width() - 5 * gap::normal;
    const QString shown = m_verdictText->fontMetrics().elidedText(
        m_said, Qt::ElideRight, std::clamp(room, LeastVerdict, MostVerdict));
    m_verdictText->setText(shown);
    m_verdictText->setToolTip(shown == m_said ? QString() : m_said);
    // Else the window could not become narrower than what is said in it.
    m_verdictText->setMinimumWidth(std::min(m_verdictText->sizeHint().width(), LeastVerdict));
}

void FireBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitVerdict();
}

QWidget *FireBar::forecast() const
{
    return m_verdict;
}

void FireBar::setTheme(const Theme &theme)
{
    m_theme = theme;
    refresh();
}

QString FireBar::operation() const
{
    return m_operation->currentText();
}

void FireBar::setOperation(const QString &operation)
{
    m_operation->setCurrentText(operation);
}

void FireBar::preselect()
{
    const auto isTaken = [this](const QString &operation) {
        return m_controller.admission(request(operation)).verdict != Admission::Verdict::Refused;
    };
    if (operation().isEmpty() || isTaken(operation()))
        return;
    const QStringList names = m_pack.operationNames();
    const auto taken = std::ranges::find_if(names, isTaken);
    if (taken != names.end())
        setOperation(*taken);
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

bool FireBar::asks() const
{
    return m_plansWork && m_outcome->asks();
}

void FireBar::setAsks(bool asks)
{
    m_outcome->setAsks(asks);
}

void FireBar::setPlansWork(bool plans)
{
    m_plansWork = plans;
    for (QWidget *part : std::as_const(m_plan))
        part->setVisible(plans);
    m_details->setPlansWork(plans);
    m_more->setToolTip(plans
            ? tr("Etag preconditions, transient failures, headers, body, references, conditions")
            : tr("Etag preconditions, headers, body, references"));
    refresh();
}

Request FireBar::request(const QString &operation) const
{
    Request request;
    m_details->write(request);
    request.op = operation.isEmpty() ? m_operation->currentText() : operation;
    request.path = m_target->path();
    request.client = m_client->currentText().trimmed();
    if (m_plansWork) {
        request.hang = asks();
        request.outcome = m_outcome->outcome();
        request.duration = m_duration->value();
    }
    return request;
}

QString FireBar::verdictText() const
{
    QStringList parts { m_said, m_verdictDetail->text(), m_verdictRule->text(),
        m_verdictSources->isHidden() ? QString() : m_sources.join(u", "_s) };
    parts.removeAll(QString());
    return parts.join(u" — "_s);
}

QString FireBar::subject() const
{
    const QString path = m_target->path();
    return m_target->isNew() ? path.left(path.lastIndexOf(u'/') + 1) : path;
}

void FireBar::problem(const QString &sentence)
{
    sayVerdict(sentence);
    m_verdictDetail->clear();
    m_verdictRule->clear();
    m_verdictSources->clear();
    m_verdictSources->hide();
    m_arm->setEnabled(false);
    m_fire->setEnabled(false);
}

void FireBar::say(const Verdict &says)
{
    sayVerdict(says.text);
    m_verdictDetail->setText(says.detail);
    const Pack &pack = m_controller.rules().pack();
    const auto [words, keys] = parted(pack, says.rule);
    Row row;
    row.sources = keys;
    m_verdictRule->setText(words);
    m_verdictSources->setHtml(chipsOf(pack, row, m_theme));
    m_verdictSources->setVisible(!keys.isEmpty());
    m_sources = keys;
    m_arm->setEnabled(true);
    m_fire->setEnabled(true);
}

void FireBar::refresh()
{
    m_details->setTarget(m_target->path(), subject());
    const int machine = m_controller.rules().machineForType(typePathOf(m_target->path()));
    if (machine != m_machine) {
        m_machine = machine;
        offerOperations();
    }
    const int details = m_details->count();
    m_more->setText(details ? tr("More (%1)").arg(details) : tr("More"));

    const Request asked = request();
    m_blocked = blockedBy(asked);
    Verdict says;
    QString symbol = u"help"_s;
    QColor colour = m_theme.dimText;
    if (asked.path.isEmpty() && !m_blocked.isEmpty()) {
        problem(m_blocked);
        symbol = u"warn"_s;
    } else if (asked.path.isEmpty()) {
        problem(tr("Select a resource in the tree, or describe a new one."));
    } else if (const QString wrong = pathProblem(asked.path); !wrong.isEmpty()) {
        problem(m_target->isNew() ? tr("Choose a type and a name without \"/\".")
                                  : tr("Target: %1.").arg(wrong));
    } else if (asked.op.isEmpty()) {
        problem(tr("The pack has no operations yet."));
    } else if (!asked.id.isEmpty() && m_controller.operations().find(asked.id)) {
        problem(tr("The operation id %1 is taken.").arg(asked.id));
    } else if (const QString broken = bodyProblem(m_controller.rules(), asked); !broken.isEmpty()) {
        // A real server may be asked what it thinks of it.
        says = { Verdict::Tone::Refused, tr("would be refused: the body is no JSON object"), broken,
            {} };
        say(says);
        m_arm->setEnabled(!m_controller.isOurs());
        m_fire->setEnabled(!m_controller.isOurs());
        symbol = u"cancel"_s;
        colour = m_theme.warning;
    } else {
        const Admission admitted = m_controller.admission(asked);
        says = m_controller.isOurs()
            ? verdict(m_controller.rules(), m_controller.world(), admitted)
            : verdictAmongOthers(m_controller.rules(), m_controller.world(), admitted, asked.path);
        const bool refused = says.tone == Verdict::Tone::Refused;
        symbol = refused                          ? u"cancel"_s
            : says.tone == Verdict::Tone::Cancels ? u"warn"_s
                                                  : u"good"_s;
        colour = refused ? m_theme.warning
            : says.tone == Verdict::Tone::Cancels
            ? m_theme.accent
            : m_theme.statusCategoryText(StatusCategory::Rest);
        say(says);
    }
    if (!m_blocked.isEmpty() && m_fire->isEnabled()) {
        const QString otherwise = tr("Otherwise: %1").arg(says.text);
        says.tone = Verdict::Tone::Cancels;
        sayVerdict(m_blocked);
        m_verdictDetail->setText(otherwise);
        m_fire->setEnabled(false);
        symbol = u"warn"_s;
        colour = m_theme.accent;
    }
    fitVerdict();
    m_verdictDetail->setToolTip(m_verdictDetail->text());
    m_verdictRule->setToolTip(m_verdictRule->text());
    m_verdictIcon->setPixmap(tinted(symbol, colour, 16, devicePixelRatioF()));
    setTone(m_verdict, m_verdictText,
        says.tone == Verdict::Tone::Refused       ? u"refused"_s
            : says.tone == Verdict::Tone::Cancels ? u"cancels"_s
                                                  : u"accepted"_s);
    emit requestChanged();
}

QString FireBar::blockedBy(const Request &request) const
{
    return m_blocker ? m_blocker(request) : QString();
}

void FireBar::setBlocker(Blocker blocker)
{
    m_blocker = std::move(blocker);
    askBlocker();
}

void FireBar::askBlocker()
{
    if (blockedBy(request()) != m_blocked)
        refresh();
}

void FireBar::fire()
{
    const Request asked = request();
    if (!m_blocked.isEmpty() && m_guard)
        m_guard(asked); // says why not
    if (!m_fire->isEnabled())
        return;
    if (m_guard && !m_guard(asked))
        return;
    const quint32 serial = m_controller.submit(m_completion ? m_completion(asked) : asked);
    m_details->clearId();
    if (m_target->isNew() && m_controller.world().tree.find(asked.path) != NoResource)
        m_target->showExisting(asked.path);
    emit fired(serial, asked.path);
}

void FireBar::arm()
{
    if (!m_arm->isEnabled())
        return;
    const Request asked = request();
    m_details->clearId();
    emit armed(asked);
}

} // namespace instar
