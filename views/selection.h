// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>

namespace instar {

/// Selected rows of a machine: states and transitions, or a note.
struct SelectedRows
{
    QString machine;       ///< id of the machine
    QStringList states;    ///< in the order in which they were chosen
    QSet<int> transitions; ///< indexes in the machine's list
    QString from;          ///< start of the selected arrow; empty: any state
    QString to;            ///< end of the selected arrow; empty: the last resting state
    int note = -1;         ///< index in the machine's list; -1: none
    bool operator==(const SelectedRows &) const = default;

    bool isEmpty() const { return states.isEmpty() && transitions.isEmpty() && note < 0; }
};

/// Selection of a window: a resource, operations, and rows of a machine. Tree, chart, timeline,
/// tables, inspector and fire bar share it and keep no copy.
class Selection : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// Path of the selected resource, which may no longer exist; empty: none.
    const QString &resource() const { return m_resource; }
    /// Serials of the selected operations; the last one is the current one.
    const QList<quint32> &operations() const { return m_operations; }
    /// Serial of the current operation; 0: none.
    quint32 operation() const { return m_operations.isEmpty() ? 0 : m_operations.last(); }
    /// True if the user chose the operations; false if firing one selected it.
    bool arePicked() const { return m_arePicked; }
    const SelectedRows &rows() const { return m_rows; }

    // choose() and selectFired() emit even without a change, so that views show the selection.
    void choose(const QString &resource)
    {
        m_resource = resource;
        emit resourceChosen(resource);
    }
    void choose(quint32 operation) { choose(QList<quint32> { operation }); }
    void choose(const QList<quint32> &operations) { set(operations, true); }
    /// Selects an operation that was just fired; arePicked() becomes false.
    void selectFired(quint32 operation) { set({ operation }, false); }
    void choose(const SelectedRows &rows)
    {
        m_rows = rows;
        emit rowsChosen(rows);
    }
    /// Selects rows; emits only if they differ from the selected ones.
    void set(const SelectedRows &rows)
    {
        if (rows != m_rows)
            choose(rows);
    }

signals:
    void resourceChosen(const QString &path);
    void operationsChosen(quint32 current);
    void rowsChosen(const instar::SelectedRows &rows);

private:
    void set(const QList<quint32> &operations, bool arePicked)
    {
        m_operations = operations;
        m_arePicked = arePicked;
        emit operationsChosen(operation());
    }

    QString m_resource;
    QList<quint32> m_operations;
    bool m_arePicked = false;
    SelectedRows m_rows;
};

} // namespace instar
