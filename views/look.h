// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QString>

class QAbstractItemView;
class QAction;
class QBoxLayout;
class QDialog;
class QDialogButtonBox;
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

/// Whether what changes is seen to move.
enum class Motion { Full, Reduced };

/// What the palette cannot say: frames, spacing and the few controls that differ from the
/// platform's.
QString styleSheet(const Theme &theme);

/// Theme of the program, of which QApplication::palette() is a part; light until another is
/// applied.
const Theme &theme();
void applyTheme(const Theme &theme);
/// Calls a function after each change of the theme as long as the context lives: what is painted
/// follows by itself, texts and icons with colours in them do not.
void whenThemed(QObject *context, const std::function<void()> &follow);

/// A widget, a layout or free room in a row or column, and its share of the room that is left.
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
/// The same row or column with these parts; a spacing of -1 is the style's.
QBoxLayout *filled(QBoxLayout *box, std::initializer_list<Part> parts, int spacing = gap::small,
    const QMargins &margins = {});

/// Tool button with words beside its icon, which Tab reaches. An empty name is no icon.
QToolButton *wordButton(const QString &icon, const QString &text, const QString &tip);
/// Tool button with an icon, which is called what its tip says.
QToolButton *iconButton(const QString &icon, const QString &tip);
/// Tool button of a command, which Tab reaches; its tip names the keys.
QToolButton *commandButton(QAction *command);
/// A command's text with its keys: "Play (F5)".
QString textWithKeys(const QString &text, const QKeySequence &keys);
/// Line to search by; empty it shows the placeholder.
QLineEdit *searchLine(const QString &placeholder, const QString &name);
/// Label in the colour of what is less important.
QLabel *dimLabel(const QString &text = {});
void setBold(QWidget *widget);
/// Scroll area without a frame that scrolls down only and leaves the keyboard to what is in it.
QScrollArea *plainScrollArea();
/// Gives a verdict's frame and its text the colours of a tone: see styleSheet().
void setTone(QWidget *frame, QWidget *text, const QString &tone);
/// The button that accepts a dialog, as the one that Return presses.
QPushButton *addAccept(QDialogButtonBox *buttons, const QString &text);
/// Dialog with a text and a button that closes it; it deletes itself.
QDialog *textDialog(QWidget *parent, QWidget *text, const QString &title, const QSize &size);
/// Fields are called what their labels say, where they have no other accessible name.
void nameFields(const QWidget &form);

/// A sentence in the middle of a view as long as it has no rows; asked for when the rows go.
void showWhenEmpty(QAbstractItemView *view, const std::function<QString()> &sentence);
void showWhenEmpty(QAbstractItemView *view, const QString &sentence);

/// Shows a context menu of a view, filled when somebody asks for it.
void offerMenu(QAbstractItemView *view, const std::function<void(QMenu &)> &fill);

/// Rows may be selected and read, and Ctrl+C copies what `role` says of each, a line per row;
/// above several rows what the model's header says for that role.
void makeRowsCopyable(QAbstractItemView *view, int role);
void copyRows(const QAbstractItemView *view, int role);

} // namespace instar
