// SPDX-License-Identifier: Apache-2.0
#include "views/look.h"

#include "views/icons.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace instar {

namespace {

/// Label over a view, visible while the view has no rows.
class EmptySentence : public QLabel
{
public:
    EmptySentence(QAbstractItemView *view, const std::function<QString()> &sentence)
        : QLabel(view->viewport()), m_view(view), m_sentence(sentence)
    {
        setAlignment(Qt::AlignCenter);
        setWordWrap(true);
        setMargin(gap::large);
        setForegroundRole(QPalette::PlaceholderText);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        view->viewport()->installEventFilter(this);
        const auto onChange = [this] { refresh(); };
        connect(view->model(), &QAbstractItemModel::rowsInserted, this, onChange);
        connect(view->model(), &QAbstractItemModel::rowsRemoved, this, onChange);
        connect(view->model(), &QAbstractItemModel::modelReset, this, onChange);
        refresh();
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            refresh();
        return QLabel::eventFilter(watched, event);
    }

private:
    void refresh()
    {
        setGeometry(m_view->viewport()->rect());
        const bool isEmpty = m_view->model()->rowCount() == 0;
        if (isEmpty)
            setText(m_sentence());
        setVisible(isEmpty);
    }

    QAbstractItemView *m_view;
    std::function<QString()> m_sentence;
};

/// Event filter of a line edit that passes keys on to a list.
class ListKeys : public QObject
{
public:
    ListKeys(QLineEdit &line, QAbstractItemView &list) : QObject(&list), m_list(list)
    {
        line.installEventFilter(this);
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        const QList<int> moves { Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown };
        if (event->type() != QEvent::KeyPress
            || !moves.contains(static_cast<QKeyEvent *>(event)->key()))
            return false;
        QCoreApplication::sendEvent(&m_list, event);
        return true;
    }

private:
    QAbstractItemView &m_list;
};

/// Current theme, and the functions to call when it changes, with their contexts.
struct Themed
{
    Theme theme = Theme::light();
    QList<std::pair<QPointer<QObject>, std::function<void()>>> updates;
};

Themed &themed()
{
    static Themed one;
    return one;
}

} // namespace

const Theme &theme()
{
    return themed().theme;
}

void applyTheme(const Theme &theme)
{
    themed().theme = theme;
    QApplication::setPalette(theme.palette());
    qApp->setStyleSheet(styleSheet(theme));
    themed().updates.removeIf([](const auto &one) { return one.first.isNull(); });
    for (const auto &[context, update] : QList(themed().updates)) {
        if (context)
            update();
    }
}

void whenThemed(QObject *context, const std::function<void()> &update)
{
    themed().updates.emplaceBack(context, update);
}

void showWhenEmpty(QAbstractItemView *view, const std::function<QString()> &sentence)
{
    new EmptySentence(view, sentence);
}

void showWhenEmpty(QAbstractItemView *view, const QString &sentence)
{
    showWhenEmpty(view, [sentence] { return sentence; });
}

QBoxLayout *filled(
    QBoxLayout *box, std::initializer_list<Part> parts, int spacing, const QMargins &margins)
{
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    for (const Part &part : parts) {
        if (part.widget)
            box->addWidget(part.widget, part.stretch, part.alignment);
        else if (part.layout)
            box->addLayout(part.layout, part.stretch);
        else if (part.room)
            box->addSpacing(part.room);
        else
            box->addStretch(part.stretch);
    }
    return box;
}

QToolButton *wordButton(const QString &icon, const QString &text, const QString &tip)
{
    auto *button = new QToolButton;
    button->setText(text);
    if (!icon.isEmpty())
        button->setIcon(instar::icon(icon));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setProperty("labelled", true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolTip(tip);
    return button;
}

QToolButton *iconButton(const QString &icon, const QString &tip)
{
    auto *button = new QToolButton;
    button->setIcon(instar::icon(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

QToolButton *commandButton(QAction *command)
{
    auto *button = new QToolButton;
    command->setToolTip(textWithKeys(command->text(), command->shortcut()));
    button->setDefaultAction(command);
    button->setAccessibleName(command->text());
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QString textWithKeys(const QString &text, const QKeySequence &keys)
{
    return keys.isEmpty() ? text : u"%1 (%2)"_s.arg(text, keys.toString(QKeySequence::NativeText));
}

QLineEdit *searchLine(const QString &placeholder, const QString &name)
{
    auto *line = new QLineEdit;
    line->setPlaceholderText(placeholder);
    line->setAccessibleName(name);
    line->setClearButtonEnabled(true);
    line->addAction(icon(u"search"_s), QLineEdit::LeadingPosition);
    return line;
}

void walkFrom(QLineEdit &line, QAbstractItemView &list)
{
    new ListKeys(line, list);
}

QLabel *dimLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setProperty("dim", true);
    return label;
}

QLabel *boldLabel(const QString &text)
{
    auto *label = new QLabel(text);
    setBold(label);
    return label;
}

QFont inBold(QFont font)
{
    font.setBold(true);
    return font;
}

void setBold(QWidget *widget)
{
    widget->setFont(inBold(widget->font()));
}

QWidget *boxed(QBoxLayout *box)
{
    auto *widget = new QWidget;
    widget->setLayout(box);
    return widget;
}

QScrollArea *plainScrollArea()
{
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

void setTone(QWidget *frame, QWidget *text, const QString &tone)
{
    if (frame->property("tone").toString() == tone)
        return;
    frame->setProperty("tone", tone);
    for (QWidget *part : { frame, text }) {
        part->style()->unpolish(part);
        part->style()->polish(part);
    }
}

QPushButton *addAccept(QDialogButtonBox *buttons, const QString &text)
{
    QPushButton *accept = buttons->addButton(text, QDialogButtonBox::AcceptRole);
    accept->setObjectName(u"primary"_s);
    accept->setDefault(true);
    return accept;
}

QDialog *textDialog(QWidget *parent, QWidget *text, const QString &title, const QSize &size)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->resize(size);
    return dialog;
}

void nameFields(const QWidget &form)
{
    for (const QLabel *label : form.findChildren<QLabel *>()) {
        if (label->buddy() && label->buddy()->accessibleName().isEmpty())
            label->buddy()->setAccessibleName(label->text().remove(u'&'));
    }
}

void offerMenu(QAbstractItemView *view, const std::function<void(QMenu &)> &fill)
{
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(
        view, &QWidget::customContextMenuRequested, view, [view, fill](const QPoint &position) {
            const QModelIndex row = view->indexAt(position);
            if (row.isValid() && !view->selectionModel()->isSelected(row))
                view->setCurrentIndex(row);
            QMenu menu(view);
            fill(menu);
            if (!menu.isEmpty())
                menu.exec(view->viewport()->mapToGlobal(position));
        });
}

void copyText(const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
}

bool containsAll(const QString &text, const QStringList &words)
{
    return std::ranges::all_of(
        words, [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

void copyRows(const QAbstractItemView *view, int role)
{
    QModelIndexList rows = view->selectionModel()->selectedRows();
    if (rows.isEmpty() && view->currentIndex().isValid())
        rows += view->currentIndex();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    if (rows.size() > 1)
        lines += view->model()->headerData(0, Qt::Horizontal, role).toString();
    for (const QModelIndex &row : std::as_const(rows))
        lines += row.data(role).toString();
    if (!lines.isEmpty())
        copyText(lines.join(u'\n'));
}

void makeRowsCopyable(QAbstractItemView *view, int role)
{
    auto *copy = new QAction(view->tr("Copy rows"), view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, view, [view, role] { copyRows(view, role); });
    view->addAction(copy);
}

QString styleSheet(const Theme &theme)
{
    QString sheet = uR"(
        QToolBar { border: none; padding: 2px; spacing: 4px; }
        QMainWindow::separator { width: 5px; height: 5px; background: @window; }
        QMainWindow::separator:hover { background: @accent; }
        QLabel#dockTitle { background: @window; color: @text; font-weight: 600; }
        QMainWindow > QTabBar { qproperty-drawBase: 0; }
        QMainWindow > QTabBar::tab { background: @window; color: @dim; border: 1px solid transparent;
            border-top: 2px solid transparent; padding: 4px 12px; }
        QMainWindow > QTabBar::tab:hover { background: @alternate; color: @text; }
        QMainWindow > QTabBar::tab:selected { background: @base; color: @text; border-color: @quiet;
            border-top-color: @accent; border-bottom-color: @base; }
        QMainWindow > QTabBar::tab:selected:focus { background: @accentFill; color: @text; border-color: @accent; }
        QTreeView, QTableView, QTextBrowser, QPlainTextEdit { border: 1px solid @quiet; border-radius: 4px; }
        QAbstractItemView { selection-background-color: @accentFill; selection-color: @text; }
        QHeaderView { background: @window; }
        QHeaderView::section, QTableCornerButton::section { background: @window; color: @dim; border: none;
            border-bottom: 1px solid @quiet; padding: 4px 8px; font-weight: 400; }
        QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 4px; }
        QToolButton:hover { background: @alternate; border-color: @quiet; }
        QToolButton:checked, QToolButton:pressed { background: @accentFill; border-color: @accent; }
        QToolButton:focus { border-color: @accent; }
        QToolButton[labelled="true"] { padding: 4px 8px; }
        QToolButton[mode="true"] { background: @base; border-color: @line; padding: 4px 10px; }
        QToolButton[mode="true"]:checked { background: @accent; color: @onAccent; border-color: @accent; }
        QToolButton[mode="true"]:focus { border-color: @text; }
        QToolButton::menu-indicator { image: none; }
        QPushButton { background: @base; color: @text; border: 1px solid @line; border-radius: 4px;
            padding: 5px 9px; }
        QPushButton:hover { border-color: @text; }
        QPushButton:focus { border: 2px solid @accent; padding: 4px 8px; }
        QPushButton:disabled { color: @line; border-color: @quiet; }
        QPushButton#primary { background: @accent; color: @onAccent; border: 1px solid @accent; border-radius: 4px;
            padding: 5px 14px; font-weight: 600; }
        QPushButton#primary:hover { border-color: @text; }
        QPushButton#primary:focus { border: 2px solid @text; padding: 4px 13px; }
        QPushButton#primary:disabled { background: @quiet; color: @offQuiet; border-color: @quiet; }
        QLabel[dim="true"] { color: @dim; }
        QLabel[problem="true"] { color: @warning; }
        QLabel#pausedHint { color: @accent; font-weight: 600; }
        QFrame#doing { background: @accentFill; border-left: 3px solid @accent; border-radius: 4px; }
        QFrame#checked { background: @goodFill; border-left: 3px solid @good; border-radius: 4px; }
        QFrame#rule { background: @alternate; border-left: 3px solid @line; border-radius: 4px; }
        QFrame#unchecked { background: @warningFill; border-left: 3px solid @warning; border-radius: 4px; }
        QFrame#verdict { border-radius: 4px; background: @alternate; }
        QFrame#verdict[tone="refused"] { background: @warningFill; }
        QFrame#verdict[tone="refused"] QLabel#verdictText { color: @warning; }
        QFrame#verdict[tone="cancels"] { background: @accentFill; }
        QFrame#verdict[tone="none"] { background: transparent; }
        QMenuBar { background: @window; }
        QMenuBar::item { padding: 4px 10px; background: transparent; border-radius: 4px; }
        QMenuBar::item:selected { background: @accentFill; }
        QMenu { background: @base; border: 1px solid @quiet; padding: 4px; }
        QMenu::item { padding: 5px 28px 5px 8px; border-radius: 4px; }
        QMenu::item:selected { background: @accentFill; color: @text; }
        QMenu::item:disabled { color: @dim; background: transparent; }
        QMenu::icon { padding-left: 6px; }
        QMenu::separator { height: 1px; background: @quiet; margin: 4px 8px; }
        QStatusBar { color: @dim; }
        QStatusBar::item { border: none; }
        QScrollBar { background: transparent; border: none; }
        QScrollBar:vertical { width: 10px; }
        QScrollBar:horizontal { height: 10px; }
        QScrollBar::handle { background: @line; border-radius: 3px; margin: 2px; }
        QScrollBar::handle:vertical { min-height: 24px; }
        QScrollBar::handle:horizontal { min-width: 24px; }
        QScrollBar::handle:hover { background: @dim; }
        QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
        QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
        QToolTip { background: @base; color: @text; border: 1px solid @line; padding: 4px; }
    )"_s;
    const QList<std::pair<QString, QColor>> colours { { u"@window"_s, theme.window },
        { u"@base"_s, theme.base }, { u"@alternate"_s, theme.alternate },
        { u"@text"_s, theme.text }, { u"@dim"_s, theme.dimText }, { u"@line"_s, theme.line },
        { u"@quiet"_s, theme.quietLine }, { u"@accentFill"_s, theme.accentFill },
        { u"@onAccent"_s, theme.accentText }, { u"@accent"_s, theme.accent },
        { u"@offQuiet"_s, theme.palette().color(QPalette::Disabled, QPalette::HighlightedText) },
        { u"@goodFill"_s, theme.statusCategoryFill(StatusCategory::Rest) },
        { u"@good"_s, theme.statusCategoryLine(StatusCategory::Rest) },
        { u"@warningFill"_s, theme.warningFill }, { u"@warning"_s, theme.warning } };
    for (const auto &[name, colour] : colours)
        sheet.replace(name, colour.name());
    return sheet;
}

} // namespace instar
