// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/rehearsal.h"
#include "model/items/outcomesmodel.h"
#include "model/task.h"
#include "views/drawing/chart.h"
#include "views/drawing/endpicture.h"

#include <QBasicTimer>
#include <QHash>
#include <QPixmap>
#include <QStyledItemDelegate>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QListView;
class QListWidget;
class QPushButton;

namespace instar {

/// Paints a trace by its ending: the tree, the chart, and how operations and resources end.
class TraceDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    TraceDelegate(const Controller &controller, const OutcomesModel &model, QObject *parent);

    void setTheme(const Theme &theme);
    /// The chart that is painted; of no machine: none is. Whatever was painted is painted again.
    void setChart(const ChartLayout &layout);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

    // what is painted
    QList<EndRow> rowsOf(const Outcomes::Trace &trace) const;
    QMap<Rules::StateId, int> countsOf(const Outcomes::Trace &trace) const;
    /// A trace's title and note as there is room for them; no two traces look the same.
    std::pair<QString, QString> linesOf(int trace, const QStyleOptionViewItem &option) const;
    /// Whether the note, which tells how the operations stand, is above the title.
    bool beginsWithFates(int trace) const;

private:
    /// Where a trace's words are, and its number of orders beside the title.
    struct Room
    {
        QRect words;
        int title = 0; ///< pixels
        bool hasOrders = false;
    };
    Room roomFor(const QString &orders, const QStyleOptionViewItem &option) const;
    void tellLines(const QStyleOptionViewItem &option) const;
    void paintHeading(QPainter &painter, const QStyleOptionViewItem &option) const;
    QPixmap pictureOf(int trace, double ratio) const;

    const Controller &m_controller;
    const OutcomesModel &m_model;
    Theme m_theme = Theme::light();
    ChartLayout m_chart;
    mutable QHash<int, QPixmap> m_pictures; ///< trace ->
    mutable QStringList m_titles, m_notes;  ///< of each trace, in m_width pixels of m_font
    mutable int m_width = -1;
    bool m_fatesDiffer = false; ///< operations do not end alike in all endings
    mutable QFont m_font;
};

class HtmlView;
class ElidedLabel;

/// Endings of some operations in any order, and whether the order matters. Searches in the
/// background, lists the traces and plays them on chart and timeline.
class OutcomesPanel : public QWidget
{
    Q_OBJECT
public:
    /// Operations that can be asked about together.
    struct Choice
    {
        QString id, title;
        QList<ScenarioStep> steps;
        std::optional<qsizetype> moment {}; ///< from which they come; nothing: the one shown
        qsizetype enough = 1;               ///< fewer are chosen by hand only
        bool operator==(const Choice &) const = default;
    };

    explicit OutcomesPanel(Controller &controller, QWidget *parent = nullptr);
    ~OutcomesPanel() override;

    void setTheme(const Theme &theme);
    /// Sets the choices, the usual one last. The user's choice stays; else the first choice with
    /// enough operations is taken, or the usual one.
    void setChoices(const QList<Choice> &choices);
    void choose(const QString &id);
    /// Limits of a search until the user asks for more.
    void setBudget(qint64 worlds, qint64 bytes);
    void ask(OutcomesQuestion::What what);
    /// Ends the search and shows what was found.
    void stop();
    bool isLooking() const { return m_task; }
    /// Last result; null: there is none.
    const Outcomes *found() const { return m_hasFound ? &m_model->outcomes() : nullptr; }
    /// Plays the selected trace from its beginning.
    void play();

    QListView &list() { return *m_list; }
    QListWidget &steps() { return *m_steps; }
    QString summary() const;
    /// Operations that are asked about, and those that go on beside them.
    QString about() const;
    /// Text of the empty list.
    QString emptyText() const;

signals:
    void pathSelected(const QString &path);
    void played(); ///< a trace, on the run: it is to be seen
    /// Play a trace in a window of its own, where this one shows a server.
    void playAsked(const instar::Stage &stage, const instar::Rehearsal::Trace &trace);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    struct Found
    {
        Result<Outcomes> outcomes;
        ChartLayout chart;
    };
    void build();
    QLayout *buildBar();
    const Choice *choice() const;
    int likeliest() const;
    /// Why nothing can be asked now; empty: it can.
    QString blocked() const;
    QString unknownWork() const;
    std::optional<qsizetype> momentOf(const Choice &choice) const;
    OutcomesQuestion question(const Choice &choice) const;
    QList<ScenarioStep> named(QList<ScenarioStep> steps) const;
    void look();
    void take(const Found &found);
    void furtherOrStop();
    QString budgetText(qint64 times) const;
    void refresh();
    void tellTrace();
    void tellStep();
    void keepPace();
    std::optional<Rehearsal::Trace> trace() const;
    QString traceHtml(const Outcomes::Trace &trace) const;
    bool showStep(qsizetype step); ///< false: its moment is gone

    Controller &m_controller;
    QBasicTimer m_pace;     ///< while an order is played
    Simulator *m_simulator; ///< null: the world is a server's
    std::optional<Rehearsal> m_rehearsal;
    Theme m_theme = Theme::light();
    QList<Choice> m_choices;
    OutcomesModel *m_model;
    TraceDelegate *m_delegate;
    QPointer<Task> m_task;
    std::shared_ptr<OutcomesCounts> m_counts;
    std::optional<OutcomesQuestion> m_asked; ///< last
    Rehearsal::Origin m_origin;
    qint64 m_time = 0;        ///< of the moment that was asked about; virtual ms
    qint64 m_worlds, m_bytes; ///< the usual budget
    qint64 m_further = 1;     ///< times that
    quint64 m_questions = 0;
    bool m_hasFound = false, m_isTelling = false, m_isChosen = false;
    QString m_problem;

    QComboBox *m_choice, *m_ends;
    QCheckBox *m_timers;
    QPushButton *m_endings, *m_order, *m_stop, *m_play;
    ElidedLabel *m_summary, *m_about;
    QListView *m_list;
    QListWidget *m_steps;
    HtmlView *m_text;
};

} // namespace instar
