// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QString>

class QAbstractItemView;
class QAction;
class QBoxLayout;
class QDialog;
class QDialogButtonBox;
class QFont;
class QKeySequence;
class QLabel;
class QLayout;
class QLineEdit;
class QMargins;
class QMenu;
class QPushButton;
class QScrollArea;
class QToolButton;
class QWidget;
#include <functional>

namespace instar {

/// Distances between controls, in device-independent pixels: a grid of four.
namespace gap {
inline constexpr int small = 4, normal = 8, large = 16;
}

/// Animation of changes: all, or none.
enum class Motion { Full, Reduced };

/// Style sheet of a theme, for frames, spacing and a few controls that the palette cannot style.
QString styleSheet(const Theme &theme);

/// Current theme, which also sets QApplication::palette(); light until another one is applied.
const Theme &theme();
void applyTheme(const Theme &theme);
/// Calls a function after each change of the theme, as long as the context lives: for texts and
/// icons that contain colours.
void whenThemed(QObject *context, const std::function<void()> &update);

/// Item of a row or column: a widget, a layout or free space, and its share of the remaining space.
struct Part
{
    Part(QWidget *part, int share = 0, Qt::Alignment side = {})
        : widget(part), stretch(share), alignment(side)
    { }
    Part(QLayout *part, int share = 0) : layout(part), stretch(share) { }
    static Part gap(int pixels) { return { nullptr, nullptr, 0, pixels }; }
    static Part rest(int share = 0) { return { nullptr, nullptr, share, 0 }; }

    QWidget *widget = nullptr;
    QLayout *layout = nullptr;
    int stretch = 0, room = 0;
    Qt::Alignment alignment;

private:
    Part(QWidget *part, QLayout *box, int share, int pixels)
        : widget(part), layout(box), stretch(share), room(pixels)
    { }
};
/// Adds parts to a row or column and returns it; a spacing of -1 is the style's.
QBoxLayout *filled(QBoxLayout *box, std::initializer_list<Part> parts, int spacing = gap::small,
    const QMargins &margins = {});

/// Tool button with text beside its icon, which Tab reaches. An empty name means no icon.
QToolButton *wordButton(const QString &icon, const QString &text, const QString &tip);
/// Tool button with an icon; its tip is also its accessible name.
QToolButton *iconButton(const QString &icon, const QString &tip);
/// Tool button of a command, which Tab reaches; its tip names the keys.
QToolButton *commandButton(QAction *command);
/// A command's text with its keys: "Play (F5)".
QString textWithKeys(const QString &text, const QKeySequence &keys);
/// Search field with a placeholder and an accessible name.
QLineEdit *searchLine(const QString &placeholder, const QString &name);
/// Sends the keys that move through a list from a line edit to the list.
void walkFrom(QLineEdit &line, QAbstractItemView &list);
/// Label in the colour of less important text.
QLabel *dimLabel(const QString &text = {});
QLabel *boldLabel(const QString &text);
QFont inBold(QFont font);
void setBold(QWidget *widget);
/// Widget that consists of a row or column.
QWidget *boxed(QBoxLayout *box);
/// Scroll area without a frame that only scrolls vertically and takes no keyboard focus.
QScrollArea *plainScrollArea();
/// Gives a verdict's frame and its text the colours of a tone: see styleSheet().
void setTone(QWidget *frame, QWidget *text, const QString &tone);
/// Adds the button that accepts a dialog, also on Return.
QPushButton *addAccept(QDialogButtonBox *buttons, const QString &text);
/// Dialog with a text and a button that closes it; it deletes itself.
QDialog *textDialog(QWidget *parent, QWidget *text, const QString &title, const QSize &size);
/// Names fields after their labels if they have no other accessible name.
void nameFields(const QWidget &form);

/// Shows a sentence in the middle of a view while it has no rows; calls `sentence` for the text.
void showWhenEmpty(QAbstractItemView *view, const std::function<QString()> &sentence);
void showWhenEmpty(QAbstractItemView *view, const QString &sentence);

/// Gives a view a context menu that is filled when it opens.
void offerMenu(QAbstractItemView *view, const std::function<void(QMenu &)> &fill);

void copyText(const QString &text);
/// True if a text contains all words, in any case of letters.
bool containsAll(const QString &text, const QStringList &words);

/// Makes rows selectable; Ctrl+C copies their texts for `role`, one a line, and above several rows
/// the header's text for it.
void makeRowsCopyable(QAbstractItemView *view, int role);
void copyRows(const QAbstractItemView *view, int role);

} // namespace instar
