// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QDockWidget;

namespace instar {

/// A dock's title as the theme draws it: its name, and buttons that take it out of the window and
/// close it, both reached by keyboard. Dragging it drags the dock.
class DockTitle : public QWidget
{
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget &dock);
};

} // namespace instar
