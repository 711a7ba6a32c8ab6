// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/recordmodel.h"
#include "views/drawing/theme.h"
#include "views/selection.h"

#include <QWidget>

class QTableView;

namespace instar {

class RowDelegate;

/// What has happened, an event after the other.
class RecordPanel : public QWidget
{
    Q_OBJECT
public:
    RecordPanel(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

signals:
    /// Why is what a row tells so? Of an operation where there is one, else of a resource.
    void whyAsked(quint32 serial, const QString &path);
    void momentAsked(qsizetype moment); ///< how many events had happened
    void targetAsked(const QString &path);

private:
    void showMenu(const QPoint &position);

    RecordModel *m_model;
    RowDelegate *m_delegate;
    QTableView *m_view;
};

} // namespace instar
