// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

#include <functional>

class QAbstractItemModel;
class QTableView;

namespace instar {

class Controller;

/// A table that shows rows to be selected and copied: no grid, no row numbers, columns of the given
/// widths, the widest one as wide as there is room, down to half. `role` holds a row's text.
QTableView *rowTable(QAbstractItemModel *model, int role, const QList<int> &widths);

/// These columns grow with what is in their rows, up to so many pixels.
void growWithContents(QTableView *view, const QList<int> &columns, int most);

/// What a list of what has happened says while there is nothing in it: `otherwise`, or where time
/// was taken back to the beginning, how to see the rest.
std::function<QString()> emptyHistory(const Controller &controller, const QString &otherwise);

/// New rows stay in sight as long as the last row is.
void followTail(QTableView *view);

} // namespace instar
