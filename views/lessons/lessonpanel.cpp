// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/lessonpanel.h"

#include "model/items/sentences.h"
#include "views/citations.h"
#include "views/drawing/text.h"
#include "views/htmlview.h"
#include "views/look.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

constexpr int wrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;
constexpr int usualWidth = 280;

using Kind = LessonPart::Kind;

/// Makes a label wrap, and its text selectable; returns it.
template<typename Label>
Label *wrapping(Label *label)
{
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

HtmlLabel *htmlWords(const QString &html = {})
{
    HtmlLabel *label = wrapping(new HtmlLabel);
    label->setHtml(html);
    return label;
}

/// Markdown without the marks of code spans and emphasis.
QString plain(QString markdown)
{
    return markdown.remove(u'*').remove(u'`').simplified();
}

QString bold(const QString &text)
{
    return u"<b>%1</b>"_s.arg(text.toHtmlEscaped());
}

/// Name of a lesson's operation for readers, in place of its id: "A's PUT net/blue". A second
/// operation of that name gets a number; the first has none, because that would reveal the second.
QString spokenOperation(const Lesson &lesson, const QString &id)
{
    QList<const Request *> requests;
    for (const LessonPart &part : lesson.parts) {
        for (const ScenarioStep &step : part.steps) {
            if (part.kind == LessonPart::Kind::Do && step.kind == ScenarioStep::Kind::Submit)
                requests += &step.request;
        }
    }
    const auto found = std::ranges::find(requests, id, &Request::id);
    if (found == requests.end())
        return id; // for example, an operation that another one required
    const Request &request = **found;
    const auto number = 1 + std::count_if(requests.begin(), found, [&](const Request *one) {
        return one->op == request.op && one->path == request.path && one->client == request.client;
    });
    const QString what = request.op + u' ' + displayPath(request.path);
    //: whose, and what: "A's PUT net/blue"
    const QString whose =
        request.client.isEmpty() ? what : LessonPanel::tr("%1's %2").arg(request.client, what);
    //: the second of equal requests: "A's PUT net/blue, no. 2"
    return number < 2 ? whose : LessonPanel::tr("%1, no. %2").arg(whose, QString::number(number));
}

/// Sentence for a step: "A sends PUT net/blue (its work will end as failed)".
QString sentence(const Lesson &lesson, const ScenarioStep &step)
{
    if (step.kind == ScenarioStep::Kind::End)
        return LessonPanel::tr("The work of %1 ends: %2")
            .arg(bold(spokenOperation(lesson, step.operation)),
                bold(step.outcome.isEmpty() ? u"succeeded"_s : step.outcome));
    const Request &request = step.request;
    const QString what = bold(request.op) + u' ' + bold(displayPath(request.path));
    QString text = request.client.isEmpty()
        ? what
        //: a client, and its request: "A sends PUT net/blue"
        : LessonPanel::tr("%1 sends %2").arg(bold(request.client), what);
    if (!request.outcome.isEmpty() && request.outcome != u"succeeded")
        text += LessonPanel::tr(" (its work will end with the outcome %1)")
                    .arg(request.outcome.toHtmlEscaped());
    else if (request.hang)
        text += LessonPanel::tr(" (its work runs until a later step ends it)");
    return text;
}

/// Sentence for a fact of a check: "A's PUT net/blue is Succeeded".
QString spokenFact(const Lesson &lesson, const QString &fact)
{
    const qsizetype colon = fact.indexOf(u": "_s);
    const QString name = fact.left(colon), word = fact.mid(colon + 2);
    const qsizetype slash = name.indexOf(u'/');
    const QString spoken = slash < 0 ? spokenOperation(lesson, name)
                                     : name.left(slash) + displayPath(name.sliced(slash));
    if (word == u"same etag")
        return LessonPanel::tr("%1 keeps its etag").arg(bold(spoken));
    if (word == u"new etag")
        return LessonPanel::tr("%1 gets a new etag").arg(bold(spoken));
    const bool isCode = slash < 0 && name != u"violations" && !statusNamed(word);
    //: an operation and its error code
    const QString shown = breakable(word).toHtmlEscaped();
    return isCode ? LessonPanel::tr("%1 has the error code %2").arg(bold(spoken), shown)
                  : LessonPanel::tr("%1 is %2").arg(bold(spoken), shown);
}

/// Text of a source; empty: the pack has no such source.
QString ruleText(const Pack &pack, const QString &key)
{
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    return source == pack.sourceList.end() ? QString()
                                           : bold(key) + u" · "_s + source->about.toHtmlEscaped();
}

} // namespace

QString breakable(QString words)
{
    for (qsizetype i = words.size() - 1; i > 0; --i) {
        if (words[i].isUpper() && words[i - 1].isLower())
            words.insert(i, QChar(0x200b));
    }
    return words;
}

ChoiceButton::ChoiceButton(const QString &letter, const QString &words, QWidget *parent)
    : QAbstractButton(parent), m_letter(letter)
{
    setText(words);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Answer %1: %2").arg(letter, words));
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceButton::setTruth(std::optional<bool> truth)
{
    m_truth = truth;
    if (truth)
        setAccessibleDescription(*truth ? tr("correct") : tr("wrong"));
    update();
}

QRect ChoiceButton::wordsRect(int width) const
{
    const int badge = fontMetrics().height() + gap::small;
    const int left = gap::normal + badge + gap::normal;
    const QRect room(left, gap::normal, std::max(width - left - gap::normal, 40), 100'000);
    return fontMetrics().boundingRect(room, wrapped, breakable(text()));
}

int ChoiceButton::heightForWidth(int width) const
{
    return std::max(wordsRect(width).height(), fontMetrics().height() + gap::small)
        + 2 * gap::normal;
}

QSize ChoiceButton::sizeHint() const
{
    return { usualWidth, heightForWidth(usualWidth) };
}

QSize ChoiceButton::minimumSizeHint() const
{
    return { 120, fontMetrics().height() + 2 * gap::normal };
}

void ChoiceButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme::Tone &good = theme().tones[size_t(StatusCategory::Rest)];
    const bool isTrue = m_truth == true, isFalse = m_truth == false;
    const bool isChosen = isChecked() && !isFalse;
    const QColor line = isTrue ? good.line : isChosen ? theme().accent : theme().line;
    const QColor fill = isTrue        ? good.fill
        : isChosen                    ? theme().accentFill
        : underMouse() && isEnabled() ? theme().alternate
                                      : theme().base;
    const bool isBold = isChecked() || hasFocus();
    setInk(painter, QPen(line, isBold ? 2 : 1, isFalse ? Qt::DashLine : Qt::SolidLine), fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);

    const int badge = fontMetrics().height() + gap::small;
    const QRectF circle(gap::normal, gap::normal - gap::small / 2.0, badge, badge);
    setInk(painter, Qt::NoPen, isTrue ? good.line : isChosen ? theme().accent : theme().accentFill);
    painter.drawEllipse(circle);
    painter.setPen(isTrue ? theme().base : isChosen ? theme().accentText : theme().text);
    painter.setFont(inBold(font()));
    // Signs, because colour alone would not be accessible.
    drawText(painter, circle, Qt::AlignCenter, isTrue ? u"✓"_s : isFalse ? u"✗"_s : m_letter);
    painter.setFont(font());
    painter.setPen(isTrue ? good.text : isFalse ? theme().dimText : theme().text);
    drawText(painter, wordsRect(width()), wrapped, breakable(text()));
}

LessonPanel::LessonPanel(Lesson lesson, Simulator &simulator, QWidget *parent)
    : QWidget(parent),
      m_run(std::move(lesson), simulator),
      m_simulator(simulator),
      m_usualSize(font().pointSizeF()),
      m_title(wrapping(new QLabel)),
      m_rules(htmlWords()),
      m_rule(htmlWords()),
      m_pageLabel(dimLabel()),
      m_scroll(plainScrollArea()),
      m_back(new QPushButton(tr("Back"))),
      m_next(new QPushButton)
{
    m_title->setText(m_run.lesson().title);
    m_rules->setObjectName(u"rules"_s);
    m_rule->hide();
    m_rules->setProperty("dim", true);
    m_pageLabel->setAccessibleName(tr("Page of the lesson"));
    m_back->setToolTip(tr("Previous page (Page Up)"));
    m_next->setObjectName(u"primary"_s);
    m_next->setToolTip(tr("Next page (Page Down)"));

    auto *head = filled(new QHBoxLayout, { { m_title, 1 }, { m_pageLabel, 0, Qt::AlignTop } }, -1);
    auto *feet = filled(new QHBoxLayout, { m_back, Part::rest(1), m_next }, -1);
    filled(new QVBoxLayout(this), { head, m_rules, m_rule, { m_scroll, 1 }, feet }, gap::normal,
        { gap::normal, gap::small, gap::normal, gap::normal });
    setFocusProxy(m_next);
    setMinimumWidth(240);

    connect(m_back, &QPushButton::clicked, this, &LessonPanel::back);
    connect(m_next, &QPushButton::clicked, this, &LessonPanel::advance);
    offerSources(m_rules, m_simulator, [this](const QString &key) { showRule(key); });
    setLarger(1);
    showRules();
    advanceToWait();
    whenThemed(this, [this] {
        showRules();
        refresh();
    });
}

void LessonPanel::setLarger(double factor)
{
    QFont letters = font();
    letters.setPointSizeF(m_usualSize * factor);
    setFont(letters);
    letters.setBold(true);
    letters.setPointSizeF(m_usualSize * factor * 1.2);
    m_title->setFont(letters);
    m_isLarger = factor > 1;
    for (QWidget *small :
        std::initializer_list<QWidget *> { m_rules, m_rule, m_pageLabel, m_back, m_next })
        small->setFont(font());
    refresh();
}

void LessonPanel::showRules()
{
    const Pack &pack = m_simulator.rules().pack();
    Row row; // only keys that are sources of the pack; lessons in tests have others
    std::ranges::copy_if(m_run.lesson().rules, std::back_inserter(row.sources),
        [&pack](const QString &key) { return !ruleText(pack, key).isEmpty(); });
    //: of a lesson: the rules that it shows
    m_rules->setHtml(tr("This lesson shows %1").arg(chipsOf(pack, row, theme())));
    m_rules->setVisible(!row.sources.isEmpty());
}

/// Shows a rule's text in the panel, because the inspector may be hidden.
void LessonPanel::showRule(const QString &key)
{
    const QString text = ruleText(m_simulator.rules().pack(), key);
    const bool isShown = m_rule->isVisibleTo(this) && m_rule->text() == text;
    m_rule->setHtml(text);
    m_rule->setVisible(!text.isEmpty() && !isShown); // a second click hides the text
    emit sourceAsked(key);
}

void LessonPanel::setNextTitle(const QString &title)
{
    m_nextTitle = title;
    refresh();
}

const LessonPart *LessonPanel::waiting() const
{
    return m_run.at() < pageEnd() ? &m_run.lesson().parts[m_run.at()] : nullptr;
}

/// Advances over texts and checks up to the next part that waits for the reader.
void LessonPanel::advanceToWait()
{
    while (const LessonPart *part = waiting()) {
        if (part->kind != Kind::Text && part->kind != Kind::Check)
            break;
        m_run.advance();
    }
    refresh();
    if (const Request *request = nextRequest())
        emit awaited(*request);
    if (m_run.isOver())
        emit finished();
}

const Request *LessonPanel::nextRequest() const
{
    return waiting() ? m_run.awaited() : nullptr;
}

void LessonPanel::advance()
{
    if (const LessonPart *part = waiting()) {
        const bool isDoing = part->kind == Kind::Do;
        const QString path = isDoing ? part->steps.last().request.path : QString();
        m_run.advance();
        if (!path.isEmpty())
            emit performed(path); // before the next part is shown
        return advanceToWait();
    }
    if (m_isAtEnd)
        return m_nextTitle.isEmpty() ? emit lessonsAsked() : emit nextAsked();
    if (m_run.isOver()) {
        m_isAtEnd = true;
        m_shownTo = -1; // so that build() scrolls to the top of the end page
        return refresh();
    }
    ++m_page;
    m_recordsBefore = m_simulator.records().size();
    advanceToWait();
    m_scroll->verticalScrollBar()->setValue(0);
    emit turned();
}

void LessonPanel::answer(int choice)
{
    const LessonPart *part = waiting();
    if (!part || part->kind != Kind::Predict || choice >= part->choices.size())
        return;
    m_run.answer(choice);
    m_run.advance();
    advanceToWait();
}

bool LessonPanel::wasPageUsed() const
{
    const qsizetype begin = m_run.lesson().pages().value(m_page);
    const auto isAction = [](const LessonPart &part) { return part.kind != Kind::Text; };
    const auto &parts = m_run.lesson().parts;
    return std::any_of(parts.begin() + begin, parts.begin() + m_run.at(), isAction);
}

void LessonPanel::back()
{
    if (std::exchange(m_isAtEnd, false))
        return refresh();
    if (isAtBeginning())
        return;
    // Returns first to the beginning of a page on which something was done.
    if (!wasPageUsed() && m_page > 0)
        --m_page;
    restartPage();
}

void LessonPanel::restartPage()
{
    m_isAtEnd = false;
    m_run.goTo(m_page);
    m_recordsBefore = m_simulator.records().size();
    advanceToWait();
    emit turned();
}

void LessonPanel::restartLesson()
{
    m_page = 0;
    restartPage();
}

Request LessonPanel::completed(const Request &asked)
{
    const Request *request = nextRequest();
    m_isMatched = request && request->op == asked.op
        && request->path.compare(asked.path, Qt::CaseInsensitive) == 0
        && (request->client.isEmpty() || request->client == asked.client);
    if (!m_isMatched)
        return asked;
    const Request complete = *request;
    m_run.advanceTime();
    return complete;
}

void LessonPanel::requestSubmitted()
{
    if (!std::exchange(m_isMatched, false))
        return;
    m_simulator.pause(); // while the user reads
    m_run.requestDone();
    advanceToWait();
}

void LessonPanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_PageDown)
        advance();
    else if (event->key() == Qt::Key_PageUp)
        back();
    else if (event->key() >= Qt::Key_1 && event->key() <= Qt::Key_9)
        answer(event->key() - Qt::Key_1);
    else
        QWidget::keyPressEvent(event);
}

void LessonPanel::refresh()
{
    const qsizetype pages = m_run.lesson().pages().size();
    m_pageLabel->setText(m_isAtEnd ? tr("End") : tr("%1 of %2").arg(m_page + 1).arg(pages));
    m_back->setEnabled(!isAtBeginning());
    const LessonPart *part = waiting();
    m_next->setText(part && part->kind == Kind::Predict ? tr("Show the Answer")
            : part                                      ? tr("Do This Step")
            : !m_isAtEnd                                ? tr("Next Page")
            : m_nextTitle.isEmpty()                     ? tr("All Lessons")
                                                        : tr("Next Lesson"));
    m_next->setAccessibleDescription(m_nextTitle);
    build();
}

/// Shows the page up to the part that waits for the reader.
void LessonPanel::build()
{
    const int scrolled = m_scroll->verticalScrollBar()->value();
    auto *page = new QWidget;
    page->setObjectName(u"lessonPage"_s);
    page->setFont(font());
    m_content =
        filled(new QVBoxLayout(page), {}, gap::normal + gap::small, { 0, 0, gap::small, 0 });
    const qsizetype begin = m_run.lesson().pages().value(m_page);
    const qsizetype end = m_isAtEnd ? begin : std::min(m_run.at() + 1, pageEnd());
    int changed = -1; // first changed item in the layout
    int judged = 0;   // answers that are known to be right or wrong
    for (qsizetype i = begin; i < end; ++i) {
        const LessonPart &part = m_run.lesson().parts[i];
        if (i == m_shownTo && changed < 0)
            changed = m_content->count();
        if (part.kind == Kind::Text) {
            HtmlLabel *label = htmlWords();
            label->setMarkdown(part.text);
            m_content->addWidget(label);
        } else if (part.kind == Kind::Predict) {
            const std::optional<int> answer = m_run.answerTo(i);
            if (answer && m_run.cameTrue(i, *answer) && ++judged > m_judged && changed < 0)
                changed = m_content->count();
            addQuestion(i);
        } else if (part.kind == Kind::Do) {
            addDoing(part, i == m_run.at());
        } else {
            addCheck(i);
        }
    }
    m_judged = judged;
    if (m_isAtEnd)
        addEnd();
    m_content->addStretch(1);
    for (QLabel *label : page->findChildren<QLabel *>())
        label->setFont(font()); // rich text does not inherit its parent's font
    m_scroll->setWidget(page);  // deletes the old page
    // Scrolls to the first part that changed, else to the top; a mere redraw keeps the position.
    const bool isSame = std::exchange(m_shownTo, m_run.at()) == m_run.at();
    QTimer::singleShot(0, page, [this, page, scrolled, changed, isSame] {
        const QLayoutItem *first = page->layout()->itemAt(changed);
        m_scroll->verticalScrollBar()->setValue(isSame ? scrolled
                : first                                ? first->geometry().top()
                                                       : 0);
    });
}

/// Says that the lesson is completed, which rules it showed, and which lesson is next.
void LessonPanel::addEnd()
{
    m_content->addWidget(htmlWords(bold(tr("Lesson completed"))));
    for (const QString &key : m_run.lesson().rules) {
        if (const QString text = ruleText(m_simulator.rules().pack(), key); !text.isEmpty())
            addBox("rule")->addWidget(htmlWords(text));
    }
    if (!m_nextTitle.isEmpty())
        m_content->addWidget(htmlWords(tr("Next lesson: %1").arg(bold(m_nextTitle))));
}

void LessonPanel::addQuestion(qsizetype part)
{
    const QList<LessonPart::Choice> &choices = m_run.lesson().parts[part].choices;
    const std::optional<int> answer = m_run.answerTo(part);
    const bool isOpen = m_run.at() == part;
    auto *group = new QWidget;
    group->setAccessibleName(tr("Your prediction"));
    auto *rows = filled(new QVBoxLayout(group), {});
    for (int i = 0; i < int(choices.size()); ++i) {
        auto *choice = new ChoiceButton(QString::number(i + 1), plain(choices[i].text));
        choice->setChecked(answer == i);
        choice->setTruth(m_run.cameTrue(part, i));
        choice->setEnabled(isOpen);
        connect(choice, &QAbstractButton::clicked, this, [this, i] {
            QTimer::singleShot(0, this, [this, i] { this->answer(i); });
        }); // later: the answer deletes the button
        rows->addWidget(choice);
    }
    m_content->addWidget(group);
    if (!answer || !m_run.cameTrue(part, *answer))
        return;
    const bool wasRight = *m_run.cameTrue(part, *answer);
    m_content->addWidget(wrapping(new QLabel(
        wasRight ? tr("You were right.") : tr("You chose answer %1.").arg(*answer + 1))));
}

QBoxLayout *LessonPanel::addBox(const char *name)
{
    auto *box = new QFrame;
    box->setObjectName(QLatin1StringView(name));
    m_content->addWidget(box);
    return filled(new QVBoxLayout(box), {}, gap::small,
        { gap::normal, gap::normal, gap::normal, gap::normal });
}

void LessonPanel::addDoing(const LessonPart &part, bool isNext)
{
    QBoxLayout *box = addBox("doing");
    for (const ScenarioStep &step : part.steps) {
        HtmlLabel *line = htmlWords(sentence(m_run.lesson(), step));
        line->setToolTip(step.request.path);
        box->addWidget(line);
    }
    box->addWidget(wrapping(dimLabel(isNext && !m_isLarger // a presentation has no buttons to fire
            ? tr("At %1 ms. Fire the operation yourself, or press Do This Step.")
                  .arg(part.steps.first().at)
            : tr("At %1 ms of virtual time.").arg(part.steps.first().at))));
}

void LessonPanel::addCheck(qsizetype part)
{
    const LessonPart &check = m_run.lesson().parts[part];
    const QList<Failure> failures = m_run.failures(part);
    QBoxLayout *box = addBox(failures.isEmpty() ? "checked" : "unchecked");
    box->addWidget(wrapping(dimLabel(tr("At %1 ms of virtual time:").arg(check.steps.first().at))));
    for (const QString &fact : check.text.split(u'\n')) {
        const QString name = fact.left(fact.indexOf(u": "_s));
        const auto failed = std::ranges::find_if(failures, [&](const Failure &failure) {
            const QString subject = failure.text.section(u": expected"_s, 0, 0);
            return subject == name || subject.endsWith(u' ' + name);
        });
        const QString mark = failed == failures.end() ? u"✓ "_s : u"✗ "_s;
        HtmlLabel *line = htmlWords(mark + spokenFact(m_run.lesson(), fact));
        line->setToolTip(failed == failures.end() ? fact : failed->text);
        box->addWidget(line);
    }
    if (failures.isEmpty())
        return;
    box->addWidget(wrapping(
        new QLabel(tr("The run differs from the lesson: %1.").arg(failures.first().text))));
    auto *again = new QPushButton(tr("Restart This Page"));
    connect(again, &QPushButton::clicked, this,
        [this] { QTimer::singleShot(0, this, [this] { restartPage(); }); });
    box->addWidget(again);
}

} // namespace instar
