// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTimer>

namespace instar {

/// Answers every file dialog with `file` while it lives.
class FileAnswer
{
public:
    explicit FileAnswer(const QString &file)
    {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QObject::connect(&m_watch, &QTimer::timeout, &m_watch, [this, file] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            m_filters = dialog->nameFilters();
            m_suggested = dialog->selectedFiles().value(0);
            // selectFile() does not change text being typed; without the focus in the field the
            // dialog takes the selected row of its list.
            auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
            QApplication::setActiveWindow(dialog);
            name->setFocus();
            name->setText(file);
            static_cast<QDialog *>(dialog)->accept();
        });
        m_watch.start(20);
    }
    /// Name filters of the last dialog; empty: there was none.
    const QStringList &filters() const { return m_filters; }

    /// File that the last dialog suggested, with its folder.
    const QString &suggested() const { return m_suggested; }

private:
    QTimer m_watch;
    QStringList m_filters;
    QString m_suggested;
};

} // namespace instar
