// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/lesson.h"

#include <QAbstractButton>
#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace instar {

/// Text with break opportunities within camel case, such as error codes.
QString breakable(QString words);

/// Answer of a question: a letter and words, later marked as true or false.
class ChoiceButton : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Truth { Unknown, CameTrue, DidNot };

    ChoiceButton(const QString &letter, const QString &words, QWidget *parent = nullptr);

    void setTruth(Truth truth);
    Truth truth() const { return m_truth; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QRect wordsRect(int width) const;
    QString sign() const;

    QString m_letter;
    Truth m_truth = Truth::Unknown;
};

class HtmlLabel;

/// A lesson beside the world that it is about, a page at a time. What follows a question is hidden
/// until it is answered or skipped; what is to be done can be done by hand or by the panel.
class LessonPanel : public QWidget
{
    Q_OBJECT
public:
    LessonPanel(Lesson lesson, Simulator &simulator, QWidget *parent = nullptr);

    /// Of the lesson after this one; empty: there is none.
    void setNextTitle(const QString &title);
    const LessonRun &run() const { return m_run; }
    /// What is to be asked for next; null: something else comes.
    const Request *nextRequest() const;
    qsizetype page() const { return m_page; }
    const QString &nextTitle() const { return m_nextTitle; }
    /// On the first page, where nothing was done yet: back() leads nowhere.
    bool isAtBeginning() const { return m_page == 0 && !wasPageUsed(); }

    /// The next thing: an answer is shown, something is done, a page is turned.
    void advance();
    /// Chooses an answer to the question that is open.
    void answer(int choice);
    /// The page before, or this one from its beginning.
    void back();
    void again();
    void beginAgain();
    /// Letters so many times as large as usual.
    void setLarger(double factor);

    /// What somebody asks for, or what the lesson awaits where that is the same operation on the
    /// same path: it then has the lesson's id, and comes at its time.
    Request completed(const Request &asked);
    /// It was asked for.
    void followed();

    /// How many records there were when the page that is shown began.
    qsizetype recordsBefore() const { return m_recordsBefore; }

signals:
    /// Something is to be asked for next.
    void awaited(const instar::Request &request);
    /// The panel has asked for something there.
    void performed(const QString &path);
    void turned();
    void sourceAsked(const QString &key);
    void finished();     ///< the last page was seen to its end
    void nextAsked();    ///< the lesson after this one
    void lessonsAsked(); ///< all of them

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool isAtPageEnd() const;
    bool wasPageUsed() const; ///< something was answered or done on it
    qsizetype pageEnd(qsizetype page) const;
    const LessonPart *waiting() const; ///< for the reader; null: the page is at its end
    void settle();
    void refresh();
    void build();
    /// Which rules the lesson shows, each a chip that says what it is.
    void showRules();
    void tellRule(const QString &key);
    void addQuestion(qsizetype part);
    void addDoing(const LessonPart &part, bool isNext);
    void addCheck(qsizetype part);
    /// What the sources say, as the lesson's end.
    void addRules();
    QWidget *addBox(const char *name);

    LessonRun m_run;
    Simulator &m_simulator;
    qsizetype m_page = 0;
    qsizetype m_shownTo = 0;  ///< the part that was next when the page was built last
    bool m_isMatched = false; ///< what is being asked for is what was awaited
    QString m_nextTitle;
    double m_usualSize; ///< of letters, in points
    bool m_isLarger = false;
    qsizetype m_recordsBefore = 0;
    QLabel *m_title;
    HtmlLabel *m_rules;
    HtmlLabel *m_rule; ///< what one of them says, once it was asked for
    QLabel *m_place;
    QScrollArea *m_scroll;
    QVBoxLayout *m_content = nullptr;
    QPushButton *m_back, *m_next;
};

} // namespace instar
