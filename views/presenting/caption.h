// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QLabel>

namespace instar {

class Controller;

/// What has just happened, in large words at a window's lower edge.
class Caption : public QLabel
{
    Q_OBJECT
public:
    Caption(const Controller &controller, QWidget *window);

    void setTheme(const Theme &theme);
    /// Says what the newest record tells; nothing before there is one. Long names are cut in their
    /// middle, as the window's width wants it.
    void refresh();
    /// Another page begins, before which there were so many records: what they tell is not spoken
    /// of any more.
    void turn(qsizetype records);

private:
    int room() const; ///< its width
    void place();

    const Controller &m_controller;
    qsizetype m_told = 0; ///< records of pages before
};

} // namespace instar
