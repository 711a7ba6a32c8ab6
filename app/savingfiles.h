// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QString>

class QWidget;

namespace instar {

/// Asks where to save: `name` is offered, and where somebody types none it gives the suffix, all
/// that follows its first dot; before a file is replaced, it asks. Empty: nowhere.
QString askedFile(
    QWidget *window, const QString &title, const QString &name, const QString &filter);

/// Writes a file as a whole. False: nothing is to be written, or a message has said what is wrong.
bool savedTo(
    QWidget *window, const QString &title, const QString &file, const Result<QByteArray> &bytes);

} // namespace instar
