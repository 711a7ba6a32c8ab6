// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTimer>

namespace instar {

/// As long as it lives, whatever dialog asks for a file is answered so.
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
            // selectFile() leaves alone what is being typed; without the keyboard in the field the
            // dialog goes by what is selected in its list.
            auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
            QApplication::setActiveWindow(dialog);
            name->setFocus();
            name->setText(file);
            static_cast<QDialog *>(dialog)->accept();
        });
        m_watch.start(20);
    }
    /// What the dialog offered; empty: none has come.
    const QStringList &filters() const { return m_filters; }

private:
    QTimer m_watch;
    QStringList m_filters;
};

} // namespace instar
