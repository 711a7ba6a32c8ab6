// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QLabel>

namespace instar {

class Controller;

/// What has just happened, in large words at a window's lower edge; before anything has, softly,
/// which keys there are.
class Caption : public QLabel
{
    Q_OBJECT
public:
    Caption(const Controller &controller, QWidget *window);

    void setTheme(const Theme &theme);
    /// Says what the newest record tells; the keys before there is one. Long names are cut in their
    /// middle, as the window's width wants it.
    void refresh();
    /// There is a lesson, which asks questions.
    void setAsks(bool asks);
    /// Whether something has happened that it tells.
    bool tells() const { return m_tells; }
    /// Another page begins, before which there were so many records: what they tell is not spoken
    /// of any more.
    void turn(qsizetype records);
    /// Says this instead, until something happens or it is to say nothing of its own (empty).
    void say(const QString &sentence);

private:
    void dress();
    int room() const; ///< its width
    void place();

    const Controller &m_controller;
    Theme m_theme = Theme::light();
    bool m_tells = false, m_asks = false;
    qsizetype m_told = 0;   ///< records of pages before
    QString m_said;         ///< empty: nothing of its own
    qsizetype m_saidAt = 0; ///< how many records there were then
};

} // namespace instar
