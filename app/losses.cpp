// SPDX-License-Identifier: Apache-2.0
#include "app/losses.h"

#include "model/foreigntext.h"

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

void tellLines(QWidget *window, const QString &name, const QString &title, const QString &text,
    const QStringList &all)
{
    QString lines = visible(all.mid(0, MostLosses).join(u'\n'));
    if (all.size() > MostLosses)
        lines += u'\n' + LossesWords::tr("and %1 more").arg(all.size() - MostLosses);
    tellTerminal(lines);
    auto *box = new QMessageBox(QMessageBox::Information, title, text, QMessageBox::Ok, window);
    box->setObjectName(name);
    box->setInformativeText(all.first());
    box->setDetailedText(lines);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->show();
}

} // namespace

void tellTerminal(const QString &lines)
{
    std::fprintf(stderr, "%s\n", qPrintable(visible(lines)));
}

void tellLosses(QWidget *window, const QString &file, const QStringList &losses)
{
    tellLines(window, QStringLiteral("losses"), LossesWords::tr("Not everything is in it"),
        losses.size() == 1 ? LossesWords::tr("One thing in %1 could not be taken over.")
                                 .arg(QFileInfo(file).fileName())
                           : LossesWords::tr("%1 things in %2 could not be taken over.")
                                 .arg(losses.size())
                                 .arg(QFileInfo(file).fileName()),
        losses);
}

void tellGuesses(QWidget *window, const QString &file, const QStringList &guesses)
{
    tellLines(window, QStringLiteral("guesses"), LossesWords::tr("A pack of what it says"),
        guesses.size() == 1
            ? LossesWords::tr("One thing that %1 does not say was guessed, or left out.")
                  .arg(QFileInfo(file).fileName())
            : LossesWords::tr("%1 things that %2 does not say were guessed, or left out.")
                  .arg(guesses.size())
                  .arg(QFileInfo(file).fileName()),
        guesses);
}

void tellErrors(QWidget *window, const QString &file, const QStringList &errors)
{
    tellLines(window, QStringLiteral("errors"), LossesWords::tr("Something is wrong in it"),
        errors.size() == 1 ? LossesWords::tr("There is an error in the pack of %1.")
                                 .arg(QFileInfo(file).fileName())
                           : LossesWords::tr("There are %1 errors in the pack of %2.")
                                 .arg(errors.size())
                                 .arg(QFileInfo(file).fileName()),
        errors);
}

} // namespace instar
