// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLineEdit;

namespace instar {

/// The name of a file that exists, typed or chosen.
class FileField : public QWidget
{
    Q_OBJECT
public:
    /// `what` names the file for a reader: "Certificate"; `filter` as in QFileDialog.
    FileField(const QString &what, const QString &filter, QWidget *parent = nullptr);

    QString file() const;
    void setFile(const QString &file);
    /// Why the file cannot be read, as a sentence; empty: it can.
    QString problem() const;

signals:
    void changed();

private:
    void choose();

    QString m_what, m_filter;
    QLineEdit *m_name;
};

} // namespace instar
