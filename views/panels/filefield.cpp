// SPDX-License-Identifier: Apache-2.0
#include "views/panels/filefield.h"

#include "views/icons.h"
#include "views/look.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace instar {

FileField::FileField(QWidget *parent)
    : QWidget(parent), m_name(new QLineEdit), m_browse(iconButton(u"open"_s, tr("Choose the file")))
{
    m_name->setPlaceholderText(tr("File"));
    m_browse->setFocusPolicy(Qt::StrongFocus);
    filled(new QHBoxLayout(this), { { m_name, 1 }, m_browse });
    setFocusProxy(m_name);
    connect(m_name, &QLineEdit::textChanged, this, &FileField::changed);
    connect(m_browse, &QToolButton::clicked, this, &FileField::choose);
}

void FileField::setTitle(const QString &title)
{
    m_title = title;
    m_name->setAccessibleName(title);
    m_browse->setAccessibleName(tr("%1: choose the file").arg(title));
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
        return tr("%1: choose a file.").arg(m_title);
    const QFileInfo info(file());
    if (!info.exists())
        return tr("%1: there is no file %2.").arg(m_title, file());
    if (!info.isFile() || !info.isReadable())
        return tr("%1: %2 cannot be read.").arg(m_title, file());
    return {};
}

void FileField::choose()
{
    auto *dialog = new QFileDialog(this, m_title, file(), m_filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &FileField::setFile);
    dialog->open();
}

} // namespace instar
