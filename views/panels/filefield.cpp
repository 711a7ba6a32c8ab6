// SPDX-License-Identifier: Apache-2.0
#include "views/panels/filefield.h"

#include "views/icons.h"
#include "views/look.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

FileField::FileField(const QString &what, const QString &filter, QWidget *parent)
    : QWidget(parent), m_what(what), m_filter(filter), m_name(new QLineEdit)
{
    m_name->setAccessibleName(what);
    m_name->setPlaceholderText(tr("File"));
    auto *browse = new QToolButton;
    browse->setIcon(icon(u"open"_s));
    browse->setToolTip(tr("Choose the file"));
    browse->setAccessibleName(tr("%1: choose the file").arg(what));
    browse->setFocusPolicy(Qt::StrongFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addWidget(m_name, 1);
    layout->addWidget(browse);
    setFocusProxy(m_name);
    connect(m_name, &QLineEdit::textChanged, this, &FileField::changed);
    connect(browse, &QToolButton::clicked, this, &FileField::choose);
}

QString FileField::file() const
{
    return m_name->text().trimmed();
}

void FileField::setFile(const QString &file)
{
    m_name->setText(file);
}

QString FileField::problem() const
{
    if (file().isEmpty())
        return tr("%1: choose a file.").arg(m_what);
    const QFileInfo info(file());
    if (!info.exists())
        return tr("%1: there is no file %2.").arg(m_what, file());
    if (!info.isFile() || !info.isReadable())
        return tr("%1: %2 cannot be read.").arg(m_what, file());
    return {};
}

void FileField::choose()
{
    auto *dialog = new QFileDialog(this, m_what, file(), m_filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &FileField::setFile);
    dialog->open();
}

} // namespace instar
