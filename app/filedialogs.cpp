// SPDX-License-Identifier: Apache-2.0
#include "app/filedialogs.h"

#include "model/foreigntext.h"
#include "model/json/saving.h"

#include <QCoreApplication>
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
    dialog.setDefaultSuffix(offered.completeSuffix()); // its overwrite check needs it
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

namespace {

struct LossesWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Losses)
};

constexpr qsizetype MostLosses = 1000;

/// Object name and title of a message, and its text for one line and for several.
struct LinesMessage
{
    QString name, title, one, several;
};

LinesMessage messageOf(FileLines what)
{
    switch (what) {
    case FileLines::Losses:
        return { u"losses"_s, LossesWords::tr("Not everything was imported"),
            LossesWords::tr("One element of %1 could not be imported."),
            LossesWords::tr("%1 elements of %2 could not be imported.") };
    case FileLines::Guesses:
        return { u"guesses"_s, LossesWords::tr("Pack made from a description"),
            LossesWords::tr("One detail that %1 does not define was guessed or left out."),
            LossesWords::tr("%1 details that %2 does not define were guessed or left out.") };
    case FileLines::Errors:
        break;
    }
    return { u"errors"_s, LossesWords::tr("The pack has errors"),
        LossesWords::tr("There is an error in the pack of %1."),
        LossesWords::tr("There are %1 errors in the pack of %2.") };
}

} // namespace

void printToStderr(const QString &lines)
{
    std::fprintf(stderr, "%s\n", qPrintable(visible(lines)));
}

void showFileLines(QWidget *window, FileLines what, const QString &file, const QStringList &all)
{
    if (all.isEmpty())
        return;
    QString lines = visible(all.mid(0, MostLosses).join(u'\n'));
    if (all.size() > MostLosses)
        lines += u'\n' + LossesWords::tr("and %1 more").arg(all.size() - MostLosses);
    printToStderr(lines);
    const LinesMessage message = messageOf(what);
    const QString name = QFileInfo(file).fileName();
    auto *box = new QMessageBox(QMessageBox::Information, message.title,
        all.size() == 1 ? message.one.arg(name)
                        : message.several.arg(QString::number(all.size()), name),
        QMessageBox::Ok, window);
    box->setObjectName(message.name);
    box->setInformativeText(all.first());
    box->setDetailedText(lines);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->show();
}

} // namespace instar
