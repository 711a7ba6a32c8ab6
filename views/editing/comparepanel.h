// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/comparison.h"
#include "model/task.h"
#include "views/editing/differencemarks.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;
class QStandardItemModel;
class QTextBrowser;
class QToolButton;
class QTreeView;

namespace instar {

class Document;

/// What the document is compared with.
struct Counterpart
{
    enum class Kind {
        Pack,    ///< another one
        Saved,   ///< the document as it was opened, or saved last
        Setting, ///< the document under other switches
    };
    Kind kind = Kind::Pack;
    QString title;   ///< for people
    QString name {}; ///< of a pack: what a scenario calls it
    instar::Pack pack {};
    Switches switches {}; ///< of a setting
};

/// What the document and something else say and do differently, found beside the work a moment
/// after each change: the rows that differ, and the shortest story that ends differently.
class ComparePanel : public QWidget
{
    Q_OBJECT
public:
    explicit ComparePanel(Document &document, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// What a scenario calls the document while it has no file, and the switches under which it
    /// runs.
    void setHere(const QString &name, const Switches &switches);
    /// What can be chosen to compare with; it is filled by whoever knows what there is.
    QMenu *menu() { return m_menu; }
    /// The same for the keyboard: opens it.
    void choose();
    void compareWith(const Counterpart &other);
    /// Which comes first; the document is the second one at first.
    void swapSides();
    /// Nothing is compared any more.
    void clear();
    bool isComparing() const { return m_other.has_value(); }
    /// Off: nothing is looked for until it is on again. It begins on.
    void setOn(bool on);

    const DocumentComparison &comparison() const { return m_comparison; }
    const ComparedPack &pack(Side side) const { return side == Side::First ? m_first : m_second; }
    QString title(Side side) const;
    /// Which of the two the document is.
    Side here() const { return m_isSwapped ? Side::First : Side::Second; }
    const std::optional<Result<PackDivergence>> &found() const { return m_found; }
    /// Whether what is shown is older than the document, or still looked for.
    bool isLooking() const { return m_delay.isActive() || m_task; }
    QTreeView &list() { return *m_list; }
    QString storyText() const;

signals:
    /// Other differences are shown, or none.
    void compared();
    void differenceChosen(const instar::Difference &difference);
    void saveAsked(const instar::Scenario &story);
    void runAsked(const instar::ComparedPack &pack, const instar::Scenario &story);
    void closed();

private:
    void build();
    QWidget *buildStory();
    void restart();
    void look();
    void lookForStory();
    void stop();
    void tell();
    void tellStory();
    QString storyHtml(const PackDivergence &found) const;
    QString summary() const;
    ComparedPack document() const;
    ComparedPack other() const;
    std::optional<Scenario> story(Side side) const;

    Document &m_document;
    Theme m_theme = Theme::light();
    QString m_name;
    Switches m_switches;
    std::optional<Counterpart> m_other;
    bool m_isSwapped = false, m_isOn = true, m_isStopped = false;
    ComparedPack m_first, m_second;
    DocumentComparison m_comparison;
    std::optional<Result<PackDivergence>> m_found;
    QTimer m_delay;
    QPointer<Task> m_task;

    QMenu *m_menu;
    QToolButton *m_with, *m_swap;
    QLabel *m_summary;
    QTreeView *m_list;
    QStandardItemModel *m_model;
    QTextBrowser *m_story;
    QPushButton *m_stop, *m_save, *m_runFirst, *m_runSecond;
};

} // namespace instar
