// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QByteArray;
class QWidget;

namespace instar {

/// Asks where to save: `name` is offered, and where somebody types none it gives the suffix, all
/// that follows its first dot. Empty: nowhere.
QString askedFile(
    QWidget *window, const QString &title, const QString &name, const QString &filter);

/// Writes a file as a whole. False: nothing is to be written, or a message has said what is wrong.
bool savedTo(QWidget *window, const QString &title, const QString &file, const QByteArray &bytes);

} // namespace instar
