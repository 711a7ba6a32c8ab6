// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace instar {

/// Headers of a request, a row each; rows are added and removed, Return in a value begins the next.
class HeadersEdit : public QWidget
{
    Q_OBJECT
public:
    explicit HeadersEdit(QWidget *parent = nullptr);

    /// Those that have a name, as typed.
    QList<RequestHeader> headers() const;
    void setHeaders(const QList<RequestHeader> &headers);
    /// What is wrong with the first that cannot be sent, as a sentence; empty: nothing.
    QString problem() const;

public slots:
    /// An empty row, ready to be typed into.
    void addHeader();

signals:
    void changed();

private:
    struct Row
    {
        QWidget *widget;
        QLineEdit *name, *value;

        RequestHeader header() const;
    };
    void addRow(const RequestHeader &header);
    void removeRow(QWidget *widget);
    void refresh();

    QList<Row> m_rows;
    QWidget *m_list;
    QVBoxLayout *m_listLayout;
    QScrollArea *m_scroll;
    QToolButton *m_add;
    QLabel *m_none, *m_problem;
};

} // namespace instar
