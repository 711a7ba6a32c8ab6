// SPDX-License-Identifier: Apache-2.0
#include "app/losses.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>

#include <cstdio>

namespace instar {

namespace {

struct LossesWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Losses)
};

constexpr qsizetype MostLosses = 1000;

} // namespace

void tellLosses(QWidget *window, const QString &file, const QStringList &losses)
{
    QString lines = losses.mid(0, MostLosses).join(u'\n');
    if (losses.size() > MostLosses)
        lines += u'\n' + LossesWords::tr("and %1 more").arg(losses.size() - MostLosses);
    std::fprintf(stderr, "%s\n", qPrintable(lines));
    auto *box =
        new QMessageBox(QMessageBox::Information, LossesWords::tr("Not everything is in it"),
            losses.size() == 1 ? LossesWords::tr("One thing in %1 could not be taken over.")
                                     .arg(QFileInfo(file).fileName())
                               : LossesWords::tr("%1 things in %2 could not be taken over.")
                                     .arg(losses.size())
                                     .arg(QFileInfo(file).fileName()),
            QMessageBox::Ok, window);
    box->setObjectName(QStringLiteral("losses"));
    box->setInformativeText(losses.first());
    box->setDetailedText(lines);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->show();
}

} // namespace instar
