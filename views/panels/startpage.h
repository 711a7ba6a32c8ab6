// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace instar {

/// Everything that one can begin with, over a window that goes on living: systems, files that were
/// open lately, lessons, a server.
class StartPage : public QDialog
{
    Q_OBJECT
public:
    /// A system, by its id or file.
    struct Start
    {
        QString id, title;
    };
    /// A lesson of a system, and whether it was followed to its end.
    struct Lesson
    {
        QString file, system, title;
        QString rules; ///< that it shows
        bool isDone = false;
    };
    StartPage(const QList<Start> &systems, const QStringList &recent, const QList<Lesson> &lessons,
        QWidget *parent = nullptr);

    /// Where the lessons of a system begin is shown first.
    void showLessonsOf(const QString &system);

signals:
    /// A system's id, or a file.
    void sourceAsked(const QString &source);
    void fileAsked();
    void serverAsked();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QTreeWidget *list(const QString &name);
    QWidget *buildBeginnings(const QList<Start> &systems, const QStringList &recent);
    QWidget *buildLessons(const QList<Start> &systems, const QList<Lesson> &lessons);
    void openEntry(const QTreeWidgetItem *item);
    void find(const QString &text);

    QTreeWidget *m_systems, *m_recent, *m_lessons;
    QLineEdit *m_search;
    QLabel *m_none; ///< says that no lesson was found
};

} // namespace instar
