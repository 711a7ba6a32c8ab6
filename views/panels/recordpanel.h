// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/recordmodel.h"
#include "views/drawing/theme.h"
#include "views/selection.h"

#include <QWidget>

class QMenu;
class QTableView;

namespace instar {

class RowDelegate;

/// Table of all events, in order.
class RecordPanel : public QWidget
{
    Q_OBJECT
public:
    RecordPanel(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

signals:
    /// Explain the row: its operation, or where it has none (0) its resource.
    void whyAsked(quint32 serial, const QString &path);
    void momentAsked(qsizetype moment); ///< number of events before it
    void targetAsked(const QString &path);

private:
    void fillMenu(QMenu &menu);

    RecordModel *m_model;
    RowDelegate *m_delegate;
    QTableView *m_view;
};

} // namespace instar
