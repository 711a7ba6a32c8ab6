// SPDX-License-Identifier: Apache-2.0
#include "views/panels/startpage.h"

#include "views/icons.h"
#include "views/look.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>

namespace instar {

namespace {

constexpr int SourceRole = Qt::UserRole;

void addRow(QTreeWidget *tree, const QString &text, const QString &source, const QString &tip)
{
    auto *item = new QTreeWidgetItem(tree, { text });
    item->setSizeHint(0, { 0, tree->fontMetrics().height() + gap::normal });
    item->setData(0, SourceRole, source);
    item->setToolTip(0, tip);
}

QLabel *heading(const QString &text, QWidget *buddy)
{
    QLabel *label = boldLabel(text);
    label->setBuddy(buddy);
    return label;
}

} // namespace

StartPage::StartPage(const QList<Start> &systems, const QList<Start> &templates,
    const QStringList &recent, QWidget *parent)
    : QDialog(parent)
{
    QTreeWidget *builtIn = list(tr("Systems")), *files = list(tr("Recent files"));
    setWindowTitle(tr("Start"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (const Start &system : systems)
        addRow(builtIn, system.title, system.id, system.title);
    for (const QString &file : recent)
        addRow(files, QFileInfo(file).fileName(), file, file);
    showWhenEmpty(files, tr("No recent files. This list shows the files that you open."));
    builtIn->setFixedHeight(int(systems.size()) * (fontMetrics().height() + gap::normal) + 12);
    auto *fresh = new QPushButton(icon(u"add"_s), tr("&New Pack"));
    auto *kinds = new QMenu(fresh);
    for (const Start &start : templates)
        kinds->addAction(QString(start.title).replace(u'&', u"&&"_s), this,
            [this, source = start.id] { choose(source); });
    fresh->setMenu(kinds);
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
    for (QPushButton *button : { fresh, file, server })
        button->setAutoDefault(false);
    filled(new QVBoxLayout(this),
        { heading(tr("&Systems"), builtIn), builtIn, Part::gap(gap::normal),
            heading(tr("&Recent files"), files), { files, 1 }, fresh, file, server },
        -1, { gap::large, gap::large, gap::large, gap::large });
    resize(360, 560);
    builtIn->setFocus();
}

QTreeWidget *StartPage::list(const QString &name)
{
    auto *tree = new QTreeWidget;
    tree->setHeaderHidden(true);
    tree->setAccessibleName(name);
    tree->setRootIsDecorated(false);
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const auto signal : { &QTreeWidget::itemActivated, &QTreeWidget::itemClicked })
        connect(tree, signal, this,
            [this](const QTreeWidgetItem *item) { choose(item->data(0, SourceRole).toString()); });
    return tree;
}

void StartPage::choose(const QString &source)
{
    close();
    emit sourceAsked(source);
}

} // namespace instar
