// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace instar {

/// Searchable list of lessons, grouped by system. Lessons that the user finished are marked.
class LessonList : public QWidget
{
    Q_OBJECT
public:
    struct Lesson
    {
        QString file;   ///< path
        QString system; ///< title of the system
        QString title;
        QString rules;       ///< text of the rules that the lesson shows
        bool isDone = false; ///< the user finished it
    };

    explicit LessonList(QWidget *parent = nullptr);

    void setLessons(const QList<Lesson> &lessons);
    /// Selects and shows the lesson of a file in a system; without it, the system's first lesson.
    void showLesson(const QString &file, const QString &system);

signals:
    void chosen(const QString &file); ///< the user opened a lesson

private:
    void choose(const QTreeWidgetItem *item);
    void find(const QString &text);

    QLineEdit *m_search;
    QString m_completed; ///< text with the number of completed lessons
    QLabel *m_count;     ///< m_completed, or that a search found nothing
    QTreeWidget *m_lessons;
};

} // namespace instar
