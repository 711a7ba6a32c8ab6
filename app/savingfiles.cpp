// SPDX-License-Identifier: Apache-2.0
#include "app/savingfiles.h"

#include "model/formats/saving.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace instar {

QString askedFile(QWidget *window, const QString &title, const QString &name, const QString &filter)
{
    QString file = QFileDialog::getSaveFileName(window, title, name, filter);
    if (!file.isEmpty() && QFileInfo(file).suffix().isEmpty())
        file += name.mid(name.indexOf(u'.'));
    return file;
}

bool savedTo(QWidget *window, const QString &title, const QString &file, const QByteArray &bytes)
{
    if (file.isEmpty())
        return false;
    const Result<bool> written = saved(file, bytes);
    if (!written)
        QMessageBox::warning(window, title, written.error());
    return bool(written);
}

} // namespace instar
