// SPDX-License-Identifier: Apache-2.0
#include "app/filedialogs.h"

#include "model/foreigntext.h"
#include "model/json/saving.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace instar {

QString askedFile(QWidget *window, const QString &title, const QString &name, const QString &filter)
{
    const QFileInfo offered(name);
    // A name without a folder opens the dialog in the folder used last.
    QFileDialog dialog(window, title, offered.isRelative() ? QString() : offered.path(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(offered.completeSuffix()); // the dialog's overwrite check needs it
    dialog.selectFile(offered.fileName());
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString savedAs(QWidget *window, const QString &title, const QString &name, const QString &filter,
    const std::function<Result<QByteArray>(const QString &file)> &content)
{
    const QString file = askedFile(window, title, name, filter);
    return file.isEmpty() ? QString() : savedTo(window, title, file, content(file));
}

QString savedTo(
    QWidget *window, const QString &title, const QString &file, const Result<QByteArray> &bytes)
{
    const Result<bool> written = bytes ? writeFile(file, *bytes) : Error { bytes.error() };
    if (written)
        return QObject::tr("Saved %1").arg(file);
    QMessageBox::warning(window, title, written.error());
    return {};
}

void printToStderr(const QString &lines)
{
    std::fprintf(stderr, "%s\n", qPrintable(visible(lines)));
}

void showDiagnostics(QWidget *window, const QString &file, const QStringList &all)
{
    constexpr qsizetype most = 1000;
    if (all.isEmpty())
        return;
    QString lines = visible(all.mid(0, most).join(u'\n'));
    if (all.size() > most)
        lines += u'\n' + QObject::tr("and %1 more").arg(all.size() - most);
    printToStderr(lines);
    auto *box = new QMessageBox(QMessageBox::Information, QObject::tr("Errors and warnings"),
        (all.size() == 1 ? QObject::tr("One part of %2 is wrong or was not imported.")
                         : QObject::tr("%1 parts of %2 are wrong or were not imported."))
            .arg(QString::number(all.size()), QFileInfo(file).fileName()),
        QMessageBox::Ok, window);
    box->setObjectName(u"diagnostics"_s);
    box->setInformativeText(all.first());
    box->setDetailedText(lines);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->show();
}

} // namespace instar
