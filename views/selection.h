// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>

namespace instar {

/// Rows of a machine that are selected.
struct SelectedRows
{
    QString machine;       ///< an id
    QStringList states;    ///< in the order in which they were chosen
    QSet<int> transitions; ///< places in the machine's list
    QString from, to;      ///< ends of the chosen arrow; empty: any, or the last state
    int note = -1;         ///< place in the machine's list; -1: none
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

    /// A path, which stays selected when the resource goes; empty: none.
    const QString &resource() const { return m_resource; }
    /// Serials, the current one last.
    const QList<quint32> &operations() const { return m_operations; }
    quint32 operation() const { return m_operations.isEmpty() ? 0 : m_operations.last(); } ///< or 0
    /// True if the user chose them; false: the one fired last is shown.
    bool arePicked() const { return m_arePicked; }
    const SelectedRows &rows() const { return m_rows; }

    // Choosing emits even if nothing changes: the user wants to see the selection again.
    void choose(const QString &resource)
    {
        m_resource = resource;
        emit resourceChosen(resource);
    }
    void choose(quint32 operation) { choose(QList<quint32> { operation }); }
    void choose(const QList<quint32> &operations) { set(operations, true); }
    /// Selects an operation that was just fired, without a choice of the user.
    void follow(quint32 operation) { set({ operation }, false); }
    void choose(const SelectedRows &rows)
    {
        m_rows = rows;
        emit rowsChosen(rows);
    }
    /// As choose(), but emits only if the rows differ.
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
