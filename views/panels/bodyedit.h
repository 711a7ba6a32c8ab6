// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace instar {

/// The raw body of a request. JSON is checked as it is typed and formatted on demand; anything else
/// is sent as well.
class BodyEdit : public QWidget
{
    Q_OBJECT
public:
    explicit BodyEdit(QWidget *parent = nullptr);

    /// As typed; empty where it is only space.
    QByteArray body() const;
    void setBody(const QByteArray &body);
    /// Why it is not JSON, as a sentence; empty: it is, or there is none.
    QString problem() const { return m_wrong; }
    /// Bytes that are not text are kept, and cannot be edited.
    bool isEditable() const { return m_binary.isEmpty(); }

public slots:
    /// Indents what is JSON; numbers and strings stay as they are spelled.
    void format();

signals:
    void changed();

private:
    void check();

    QByteArray m_binary;
    QString m_wrong;
    QPlainTextEdit *m_text;
    QToolButton *m_format;
    QLabel *m_problem;
};

} // namespace instar
