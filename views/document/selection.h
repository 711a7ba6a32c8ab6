// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>

namespace instar {

/// What a window is about, in one place: the machine that is edited, and which of its states and
/// rows are selected.
struct Selected
{
    QString machine;
    QStringList states;    ///< in the order in which they were chosen
    QSet<int> transitions; ///< places in the machine's list
    QString from, to;      ///< of the arrow that these rows were chosen on; empty: any, or the last
    int note = -1;         ///< place in the machine's list; -1: none
    bool operator==(const Selected &) const = default;

    bool isEmpty() const { return states.isEmpty() && transitions.isEmpty() && note < 0; }
};

class Selection : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    const Selected &now() const { return m_now; }
    void set(const Selected &selected)
    {
        if (selected == m_now)
            return;
        m_now = selected;
        emit changed(m_now);
    }

signals:
    void changed(const instar::Selected &now);

private:
    Selected m_now;
};

} // namespace instar
