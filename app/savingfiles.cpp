// SPDX-License-Identifier: Apache-2.0
#include "app/savingfiles.h"

#include "model/formats/saving.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace instar {

QString askedFile(QWidget *window, const QString &title, const QString &name, const QString &filter)
{
    const QFileInfo offered(name);
    // Without a folder it opens where the last one was closed.
    QFileDialog dialog(window, title, offered.isRelative() ? QString() : offered.path(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(offered.completeSuffix()); // so that what is there is not overwritten
    dialog.selectFile(offered.fileName());
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

bool savedTo(
    QWidget *window, const QString &title, const QString &file, const Result<QByteArray> &bytes)
{
    if (file.isEmpty())
        return false;
    const Result<bool> written =
        bytes ? writeFile(file, *bytes) : Result<bool>(Error { bytes.error() });
    if (!written)
        QMessageBox::warning(window, title, written.error());
    return bool(written);
}

} // namespace instar
