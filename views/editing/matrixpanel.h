// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/conflicts.h"
#include "views/whenseen.h"

#include <QFontMetrics>
#include <QWidget>

#include <set>

class QComboBox;
class QGridLayout;
class QLabel;
class QMenu;
class QSplitter;
class QTableView;

namespace instar {

class HtmlView;
class Coverage;
class Document;
class MatrixModel;

/// One verdict of a cell where it is drawn.
struct VerdictPart
{
    Conflict::Then verdict = Conflict::Then::Cancel;
    QString text;     ///< its word or letter
    double until = 1; ///< where it ends, in parts of the cell
};
/// Words where all have room side by side, each as much as it needs, else letters.
QList<VerdictPart> verdictParts(
    const QList<Conflict::Then> &verdicts, int width, const QFontMetrics &metrics);

/// What the document's operations do to each other: every meeting of one that runs and one that
/// comes is a cell, and a cell can be wished otherwise.
class MatrixPanel : public QWidget
{
    Q_OBJECT
public:
    explicit MatrixPanel(Document &document, QWidget *parent = nullptr);

    QTableView &table() { return *m_table; }
    MatrixModel &model() { return *m_model; }
    HtmlView &details() { return *m_details; }
    /// Whether a cell can be wished otherwise, as at first, or only tells why it is so.
    void setEditable(bool editable);
    /// Makes a meeting current, at whatever place.
    void showMeeting(const Meeting &meeting);
    /// Meetings that were not exercised are drawn faint from now on; null: they are not.
    void setExercised(const Coverage *coverage);
    /// Whether a meeting is drawn faint.
    bool isFaint(const Meeting &meeting) const;
    /// The current cell ends so from now on.
    void wish(Conflict::Then verdict);
    /// The four wishes, and the rows that speak; null where no cell is current, or nothing can be
    /// wished.
    QMenu *menu();

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void rowAsked(const QString &pointer);
    void said(const QString &sentence);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void addChoice(const QString &text, const QString &name, QComboBox *choice);
    void arrange(bool isWide);
    void refresh();
    void showCount();
    static bool fill(QComboBox *choice, const QList<std::pair<QString, QVariant>> &entries);
    void fillSettings();
    void fillCells();
    void layOut();
    void popUp();
    void showDetails();
    QString rowsText(const ConflictCell &cell) const;
    Setting setting() const;

    Document &m_document;
    MatrixModel *m_model;
    QTableView *m_table;
    HtmlView *m_details;
    QComboBox *m_place, *m_switches;
    QLabel *m_count;                                ///< of exercised meetings
    std::optional<std::set<Meeting>> m_unexercised; ///< nothing: exercise is not shown
    int m_meetings = 0;                             ///< that can be exercised
    QGridLayout *m_bar;
    QSplitter *m_parts;
    QList<std::pair<QLabel *, QComboBox *>> m_choices;
    WhenSeen m_inSight;
    bool m_isEditable = true;
    bool m_isWide = false;
};

} // namespace instar
