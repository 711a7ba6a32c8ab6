// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace instar {

/// List of lessons by system that can be searched by title and text, and marks those followed to
/// their end.
class LessonList : public QWidget
{
    Q_OBJECT
public:
    struct Lesson
    {
        QString file, system; ///< the system's title
        QString title;
        QString rules; ///< rules that it shows, as text
        bool isDone = false;
    };

    explicit LessonList(QWidget *parent = nullptr);

    void setLessons(const QList<Lesson> &lessons);
    /// Selects the first lesson of a system and scrolls to it.
    void showLessonsOf(const QString &system);

signals:
    void chosen(const QString &file);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void choose(const QTreeWidgetItem *item);
    void find(const QString &text);

    QLineEdit *m_search;
    QLabel *m_count, *m_none; ///< m_none says that no lesson was found
    QTreeWidget *m_lessons;
};

} // namespace instar
