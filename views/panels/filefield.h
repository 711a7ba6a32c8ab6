// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace instar {

/// Input field for an existing file, with a button to browse.
class FileField : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(QString title MEMBER m_title WRITE setTitle)
    Q_PROPERTY(QString filter MEMBER m_filter WRITE setFilter)
public:
    explicit FileField(QWidget *parent = nullptr);
    /// Sets the name of the field for messages and screen readers: "Certificate".
    void setTitle(const QString &title);
    void setFilter(const QString &filter) { m_filter = filter; } ///< as in QFileDialog
    QString file() const;
    void setFile(const QString &file);
    /// Why the file cannot be read, as a sentence; empty: it can.
    QString problem() const;

signals:
    void changed();

private:
    void choose();

    QString m_title, m_filter;
    QLineEdit *m_name;
    QToolButton *m_browse;
};

} // namespace instar
