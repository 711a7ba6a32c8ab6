// SPDX-License-Identifier: Apache-2.0
#include "views/panels/commandpalette.h"

#include "views/icons.h"
#include "views/look.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace instar {

CommandPalette::CommandPalette(QWidget *parent)
    : QDialog(parent, Qt::Popup), m_line(new QLineEdit), m_list(new QListWidget)
{
    setAccessibleName(tr("Command palette"));
    m_line->addAction(icon(u"search"_s), QLineEdit::LeadingPosition);
    walkFrom(*m_line, *m_list);
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    showWhenEmpty(m_list, tr("No command or name contains all of these words. Try fewer words."));

    auto *frame = new QFrame;
    frame->setFrameShape(QFrame::StyledPanel); // the window manager may draw none
    filled(new QVBoxLayout(frame), { m_line, m_list }, -1,
        { gap::normal, gap::normal, gap::normal, gap::normal });
    filled(new QVBoxLayout(this), { frame }, 0);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_line, &QLineEdit::returnPressed, this, [this] { choose(m_list->currentItem()); });
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::choose);
}

void CommandPalette::open(const QString &placeholder, const QList<Command> &commands, Finder finder)
{
    m_line->setPlaceholderText(placeholder);
    m_line->setAccessibleName(placeholder);
    m_list->setAccessibleName(placeholder);
    m_commands = commands;
    m_finder = std::move(finder);
    m_line->clear();
    refresh();
    const QWidget *window = parentWidget();
    const int width = std::min(600, window->width() - 2 * gap::large);
    resize(width, std::min(420, window->height() - 120));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, 64)));
    show();
    m_line->setFocus();
}

void CommandPalette::refresh()
{
    const QStringList words = m_line->text().simplified().split(u' ', Qt::SkipEmptyParts);
    m_list->clear();
    m_acts.clear();
    const auto add = [this](const QString &text, const std::function<void()> &act) {
        auto *item = new QListWidgetItem(text, m_list);
        item->setSizeHint({ 100, fontMetrics().height() + 12 });
        m_acts += act;
        return item;
    };
    for (const Command &command : std::as_const(m_commands)) {
        if (!containsAll(command.path, words))
            continue;
        QAction *action = command.action;
        QListWidgetItem *item =
            add(textWithKeys(command.path, action->shortcut()), [action] { action->trigger(); });
        if (!action->isEnabled())
            item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
    }
    if (m_finder && (m_commands.isEmpty() || !words.isEmpty())) {
        for (const Destination &found : m_finder(words))
            add(found.text, found.go);
    }
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->flags().testFlag(Qt::ItemIsEnabled)) {
            m_list->setCurrentRow(row);
            break;
        }
    }
}

/// Runs an entry; ignores disabled ones, which can be clicked.
void CommandPalette::choose(const QListWidgetItem *item)
{
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const std::function<void()> act = m_acts[m_list->row(item)];
    close();
    act();
}

} // namespace instar
