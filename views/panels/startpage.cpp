// SPDX-License-Identifier: Apache-2.0
#include "views/panels/startpage.h"

#include "model/json/library.h"
#include "views/icons.h"
#include "views/look.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int SourceRole = Qt::UserRole, SystemRole = Qt::UserRole + 1,
              WordsRole = Qt::UserRole + 2; ///< what a lesson says, once it was looked for
constexpr int beginningsWidth = 310, titlesWidth = 320;

QTreeWidgetItem *row(QTreeWidget *tree, QTreeWidgetItem *above, const QString &text)
{
    auto *item = above ? new QTreeWidgetItem(above, { text }) : new QTreeWidgetItem(tree, { text });
    item->setSizeHint(0, { 0, tree->fontMetrics().height() + gap::normal });
    return item;
}

QLabel *heading(const QString &text, QWidget *buddy)
{
    auto *label = new QLabel(text);
    setBold(label);
    label->setBuddy(buddy);
    return label;
}

} // namespace

StartPage::StartPage(const QList<Start> &systems, const QStringList &recent,
    const QList<Lesson> &lessons, QWidget *parent)
    : QDialog(parent),
      m_systems(list(tr("Systems"))),
      m_recent(list(tr("Recent files"))),
      m_lessons(list(tr("Lessons"))),
      m_search(searchLine(tr("Find a lesson"), tr("Find a lesson"))),
      m_none(new QLabel)
{
    setWindowTitle(tr("Start"));
    setAttribute(Qt::WA_DeleteOnClose);
    QWidget *beginnings = buildBeginnings(systems, recent);
    beginnings->setFixedWidth(beginningsWidth);
    filled(new QHBoxLayout(this), { beginnings, { buildLessons(systems, lessons), 1 } }, gap::large,
        { gap::large, gap::large, gap::large, gap::large });
    resize(900, 600);
    m_lessons->setFocus();
}

QTreeWidget *StartPage::list(const QString &name)
{
    auto *tree = new QTreeWidget;
    tree->setHeaderHidden(true);
    tree->setAccessibleName(name);
    tree->setRootIsDecorated(false);
    tree->setIndentation(gap::large);
    tree->setTextElideMode(Qt::ElideRight);
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(tree, &QTreeWidget::itemActivated, this,
        [this](const QTreeWidgetItem *item) { openEntry(item); });
    connect(tree, &QTreeWidget::itemClicked, this,
        [this](const QTreeWidgetItem *item) { openEntry(item); });
    return tree;
}

QWidget *StartPage::buildBeginnings(const QList<Start> &systems, const QStringList &recent)
{
    for (const Start &system : systems) {
        auto *item = row(m_systems, nullptr, system.title);
        item->setData(0, SourceRole, system.id);
        item->setToolTip(0, system.title);
    }
    for (const QString &file : recent) {
        auto *item = row(m_recent, nullptr, QFileInfo(file).fileName());
        item->setData(0, SourceRole, file);
        item->setToolTip(0, file);
    }
    showWhenEmpty(m_recent, tr("What you open is found here again."));
    m_systems->setFixedHeight(int(systems.size()) * (fontMetrics().height() + gap::normal) + 12);
    auto *file = new QPushButton(icon(u"open"_s), tr("&Open a File…"));
    auto *server = new QPushButton(icon(u"plug"_s), tr("&Connect to a Server…"));
    connect(file, &QPushButton::clicked, this, [this] {
        close();
        emit fileAsked();
    });
    connect(server, &QPushButton::clicked, this, [this] {
        close();
        emit serverAsked();
    });
    for (QPushButton *button : { file, server })
        button->setAutoDefault(false);

    auto *column = new QWidget;
    filled(new QVBoxLayout(column),
        { heading(tr("&Systems"), m_systems), m_systems, Part::gap(gap::normal),
            heading(tr("&Recent files"), m_recent), { m_recent, 1 }, file, server },
        -1);
    return column;
}

QWidget *StartPage::buildLessons(const QList<Start> &systems, const QList<Lesson> &lessons)
{
    m_lessons->setColumnCount(2); // what it is called, and the rules that it shows
    for (const Start &system : systems) {
        const auto isOf = [&](const Lesson &lesson) { return lesson.system == system.id; };
        if (std::ranges::none_of(lessons, isOf))
            continue;
        auto *group = row(m_lessons, nullptr, system.title);
        group->setData(0, SystemRole, system.id);
        group->setFlags(Qt::ItemIsEnabled);
        group->setFirstColumnSpanned(true);
        QFont bold = m_lessons->font();
        bold.setBold(true);
        group->setFont(0, bold);
        for (const Lesson &lesson : lessons) {
            if (!isOf(lesson))
                continue;
            const QString mark = lesson.isDone ? u"✓ "_s : QString();
            auto *item = row(m_lessons, group, mark + lesson.title);
            item->setData(0, SourceRole, lesson.file);
            if (lesson.isDone)
                item->setToolTip(0, tr("Followed to its end"));
            item->setText(1, lesson.rules);
            item->setToolTip(1, lesson.rules);
            item->setForeground(1, palette().brush(QPalette::PlaceholderText));
        }
    }
    m_lessons->header()->setStretchLastSection(true);
    m_lessons->header()->resizeSection(0, titlesWidth);
    m_lessons->expandAll();
    connect(m_search, &QLineEdit::textChanged, this, &StartPage::find);
    m_search->installEventFilter(this);
    m_none->setProperty("dim", true);
    m_none->setWordWrap(true);
    m_none->hide();
    const qsizetype done = std::ranges::count(lessons, true, &Lesson::isDone);
    QLabel *count = dimLabel(tr("%1 of %2 followed").arg(done).arg(lessons.size()));

    auto *column = new QWidget;
    auto *head =
        filled(new QHBoxLayout, { heading(tr("&Lessons"), m_lessons), Part::rest(1), count }, -1);
    filled(new QVBoxLayout(column), { head, m_search, m_none, { m_lessons, 1 } }, -1);
    return column;
}

/// By title, and by what is said in it: rules, codes.
void StartPage::find(const QString &text)
{
    const QStringList words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    QTreeWidgetItem *first = nullptr, *named = nullptr;
    for (int i = 0; i < m_lessons->topLevelItemCount(); ++i) {
        QTreeWidgetItem *group = m_lessons->topLevelItem(i);
        bool isThere = false;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem *lesson = group->child(row);
            if (!lesson->data(0, WordsRole).isValid()) {
                const Result<QByteArray> said = fileBytes(lesson->data(0, SourceRole).toString());
                lesson->setData(0, WordsRole, said ? QString::fromUtf8(*said) : QString());
            }
            const auto has = [&](const QString &said) {
                return std::ranges::all_of(words,
                    [&](const QString &word) { return said.contains(word, Qt::CaseInsensitive); });
            };
            const bool fits = has(group->text(0) + u' ' + lesson->text(0) + u' '
                + lesson->data(0, WordsRole).toString());
            if (!named && !words.isEmpty() && has(lesson->text(0)))
                named = lesson;
            lesson->setHidden(!fits);
            isThere = isThere || fits;
            if (fits && !first)
                first = lesson;
        }
        group->setHidden(!isThere);
    }
    m_lessons->setCurrentItem(named ? named : first); // who types a title means that one
    m_none->setText(tr("No lesson speaks of “%1”.").arg(text.simplified()));
    m_none->setVisible(!first);
}

/// While one types, the list is walked and opened from all the same.
bool StartPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    const QList<int> moves { Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown };
    if (moves.contains(key)) {
        QCoreApplication::sendEvent(m_lessons, event);
        return true;
    }
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return QDialog::eventFilter(watched, event);
    openEntry(m_lessons->currentItem());
    return true;
}

void StartPage::showLessonsOf(const QString &system)
{
    for (int i = 0; i < m_lessons->topLevelItemCount(); ++i) {
        QTreeWidgetItem *group = m_lessons->topLevelItem(i);
        if (group->data(0, SystemRole).toString() != system)
            continue;
        m_lessons->setCurrentItem(group->child(0));
        m_lessons->scrollToItem(group, QAbstractItemView::PositionAtTop);
    }
}

void StartPage::openEntry(const QTreeWidgetItem *item)
{
    const QString source = item ? item->data(0, SourceRole).toString() : QString();
    if (source.isEmpty())
        return;
    close();
    emit sourceAsked(source);
}

} // namespace instar
