// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/lessonlist.h"

#include "model/json/library.h"
#include "views/look.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

#include <algorithm>

namespace instar {

namespace {

constexpr int FileRole = Qt::UserRole, TextRole = Qt::UserRole + 1; ///< path and text of a lesson

} // namespace

LessonList::LessonList(QWidget *parent)
    : QWidget(parent),
      m_search(searchLine(tr("Find a lesson"), tr("Find a lesson"))),
      m_count(dimLabel()),
      m_lessons(new QTreeWidget)
{
    m_lessons->setHeaderHidden(true);
    m_lessons->setAccessibleName(tr("Lessons"));
    m_lessons->setRootIsDecorated(false);
    m_lessons->setIndentation(gap::normal);
    m_lessons->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_lessons, &QTreeWidget::itemActivated, this, &LessonList::choose);
    connect(m_lessons, &QTreeWidget::itemClicked, this, &LessonList::choose);
    connect(m_search, &QLineEdit::textChanged, this, &LessonList::find);
    connect(
        m_search, &QLineEdit::returnPressed, this, [this] { choose(m_lessons->currentItem()); });
    walkFrom(*m_search, *m_lessons);
    m_count->setWordWrap(true);
    filled(new QVBoxLayout(this), { m_search, { m_lessons, 1 }, m_count }, gap::small,
        { gap::normal, gap::small, gap::small, gap::small });
    setFocusProxy(m_search); // passes the keys that move through the list on to it
}

void LessonList::setLessons(const QList<Lesson> &lessons)
{
    m_lessons->clear();
    QTreeWidgetItem *group = nullptr;
    for (const Lesson &lesson : lessons) {
        if (!group || group->text(0) != lesson.system) {
            group = new QTreeWidgetItem(m_lessons, { lesson.system });
            group->setFlags(Qt::ItemIsEnabled);
            group->setFont(0, inBold(m_lessons->font()));
        }
        auto *item = new QTreeWidgetItem(group,
            { u"%1  %2%3"_s.arg(QString::number(group->childCount() + 1), lesson.title,
                lesson.isDone ? u"  ✓"_s : QString()) });
        item->setData(0, FileRole, lesson.file);
        item->setToolTip(0,
            lesson.isDone ? tr("%1 · %2 · completed").arg(lesson.title, lesson.rules)
                          : u"%1 · %2"_s.arg(lesson.title, lesson.rules));
    }
    m_lessons->expandAll();
    const qsizetype done = std::ranges::count(lessons, true, &Lesson::isDone);
    m_completed = tr("%1 of %2 completed").arg(done).arg(lessons.size());
    m_count->setText(m_completed);
    if (!m_search->text().isEmpty())
        find(m_search->text());
}

void LessonList::showLesson(const QString &file, const QString &system)
{
    for (int i = 0; i < m_lessons->topLevelItemCount(); ++i) {
        QTreeWidgetItem *group = m_lessons->topLevelItem(i);
        if (group->text(0) != system || !m_search->text().isEmpty())
            continue; // find() has selected a matching lesson
        QTreeWidgetItem *shown = group->child(0);
        for (int row = 0; row < group->childCount(); ++row) {
            if (group->child(row)->data(0, FileRole) == file)
                shown = group->child(row);
        }
        m_lessons->scrollToItem(group, QAbstractItemView::PositionAtTop);
        m_lessons->setCurrentItem(shown); // also scrolls to the lesson
    }
}

/// Hides the lessons that do not contain all words, in their titles, rules or texts.
void LessonList::find(const QString &text)
{
    const QStringList words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    QTreeWidgetItem *first = nullptr, *named = nullptr;
    for (int i = 0; i < m_lessons->topLevelItemCount(); ++i) {
        QTreeWidgetItem *group = m_lessons->topLevelItem(i);
        bool hasMatch = false;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem *lesson = group->child(row);
            if (!lesson->data(0, TextRole).isValid()) {
                const Result<QByteArray> bytes = fileBytes(lesson->data(0, FileRole).toString());
                lesson->setData(0, TextRole, bytes ? QString::fromUtf8(*bytes) : QString());
            }
            const bool fits = containsAll(group->text(0) + u' ' + lesson->toolTip(0) + u' '
                    + lesson->data(0, TextRole).toString(),
                words);
            if (!named && !words.isEmpty() && containsAll(lesson->text(0), words))
                named = lesson;
            lesson->setHidden(!fits);
            hasMatch = hasMatch || fits;
            if (fits && !first)
                first = lesson;
        }
        group->setHidden(!hasMatch);
    }
    m_lessons->setCurrentItem(named ? named : first); // a match in the title comes first
    m_count->setText(first ? m_completed : tr("No lesson contains “%1”.").arg(text.simplified()));
}

void LessonList::choose(const QTreeWidgetItem *item)
{
    const QString file = item ? item->data(0, FileRole).toString() : QString();
    if (!file.isEmpty())
        emit chosen(file);
}

} // namespace instar
