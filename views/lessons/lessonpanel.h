// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/lesson.h"

#include <QAbstractButton>
#include <QWidget>

#include <optional>

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace instar {

/// Text with break opportunities within camel case, such as error codes.
QString breakable(QString words);

/// Answer of a question: a letter and words, later marked as true or false.
class ChoiceButton : public QAbstractButton
{
    Q_OBJECT
public:
    ChoiceButton(const QString &letter, const QString &words, QWidget *parent = nullptr);

    void setTruth(std::optional<bool> truth);
    /// True if this answer is right; nullopt before the run decides.
    std::optional<bool> truth() const { return m_truth; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QRect wordsRect(int width) const;

    QString m_letter;
    std::optional<bool> m_truth;
};

class HtmlLabel;

/// Reader of a lesson, page by page, beside the run that the lesson is about. Text after a question
/// is hidden until the user answers or skips the question. The user or the panel makes the
/// requests.
class LessonPanel : public QWidget
{
    Q_OBJECT
public:
    LessonPanel(Lesson lesson, Simulator &simulator, QWidget *parent = nullptr);

    /// Sets the title of the next lesson; empty: there is none.
    void setNextTitle(const QString &title);
    const LessonRun &run() const { return m_run; }
    /// Request that the lesson waits for; null: the lesson waits for something else.
    const Request *nextRequest() const;
    qsizetype page() const { return m_page; }
    const QString &nextTitle() const { return m_nextTitle; }
    /// True on the first page while nothing was done there; then back() has no effect.
    bool isAtBeginning() const { return !m_isAtEnd && m_page == 0 && !wasPageUsed(); }
    bool isAtEnd() const { return m_isAtEnd; } ///< the end page is shown

    /// Takes the next step: reveals an answer, makes a request, or turns the page.
    void advance();
    /// Chooses an answer to the open question.
    void answer(int choice);
    /// Returns to the beginning of this page or, from there, to the page before.
    void back();
    void restartPage();
    void restartLesson();
    void setLarger(double factor); ///< of the text's usual size

    /// Returns the lesson's next request, and runs the clock to the time of that request, if it has
    /// the operation, path and client of `asked`. Otherwise returns `asked`.
    Request completed(const Request &asked);
    /// Notes that the request of completed() was submitted.
    void requestSubmitted();

    /// Number of events when the shown page began.
    qsizetype recordsBefore() const { return m_recordsBefore; }

signals:
    /// The lesson's next request is due.
    void awaited(const instar::Request &request);
    /// The panel has submitted a request for a path.
    void performed(const QString &path);
    void turned();
    void sourceAsked(const QString &key);
    void finished();     ///< the user reached the end of the last page
    void nextAsked();    ///< open the next lesson
    void lessonsAsked(); ///< show all lessons

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool wasPageUsed() const; ///< true if a question of the page was answered, or a request made
    qsizetype pageEnd() const
    {
        return m_run.lesson().pages().value(m_page + 1, m_run.lesson().parts.size());
    }
    const LessonPart *waiting() const; ///< part that waits for the user; null: end of the page
    void advanceToWait();
    void refresh();
    void build();
    /// Shows the rules of the lesson as chips with tooltips.
    void showRules();
    void showRule(const QString &key);
    void addEnd();
    void addQuestion(qsizetype part);
    void addDoing(const LessonPart &part, bool isNext);
    void addCheck(qsizetype part);
    QBoxLayout *addBox(const char *name);

    LessonRun m_run;
    Simulator &m_simulator;
    qsizetype m_page = 0;
    qsizetype m_shownTo = 0;  ///< index of the next part when build() last ran
    int m_judged = 0;         ///< answers known to be right or wrong when build() last ran
    bool m_isAtEnd = false;   ///< the end page is shown, after the last page
    bool m_isMatched = false; ///< completed() returned the lesson's request
    QString m_nextTitle;
    double m_usualSize; ///< of the font, in points
    bool m_isLarger = false;
    qsizetype m_recordsBefore = 0;
    QLabel *m_title;
    HtmlLabel *m_rules;
    HtmlLabel *m_rule; ///< wording of the rule that the user chose
    QLabel *m_pageLabel;
    QScrollArea *m_scroll;
    QBoxLayout *m_content = nullptr;
    QPushButton *m_back, *m_next;
};

} // namespace instar
