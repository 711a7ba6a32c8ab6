// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/engine/rules.h"

#include <QComboBox>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace instar {

/// The name of a file that exists, typed or chosen.
class FileField : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(QString what MEMBER m_what WRITE setWhat)
    Q_PROPERTY(QString filter MEMBER m_filter WRITE setFilter)
public:
    explicit FileField(QWidget *parent = nullptr);
    /// Names the file for a reader: "Certificate".
    void setWhat(const QString &what);
    void setFilter(const QString &filter) { m_filter = filter; } ///< as in QFileDialog
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
    QToolButton *m_browse;
};

/// How the work of a request ends, decided beforehand, or by somebody who will be asked.
class OutcomeBox : public QComboBox
{
    Q_OBJECT
public:
    explicit OutcomeBox(QWidget *parent = nullptr);
    /// Offers what other rules have; what is chosen stays chosen where they have it, too.
    void setRules(const Rules &rules);
    QString outcome() const; ///< as Request::outcome
    void setOutcome(const QString &outcome);
    bool asks() const; ///< the work will wait for somebody to end it
    void setAsks(bool asks);
};

/// Headers of a request, a row each; rows are added and removed, Return in a value begins the next.
class HeadersEdit : public QWidget
{
    Q_OBJECT
public:
    explicit HeadersEdit(QWidget *parent = nullptr);

    /// Those that have a name, as typed.
    QList<RequestHeader> headers() const;
    void setHeaders(const QList<RequestHeader> &headers);
    /// What is wrong with the first that cannot be sent, as a sentence; empty: nothing.
    QString problem() const;

public slots:
    /// An empty row, ready to be typed into.
    void addHeader();

signals:
    void changed();

private:
    struct Row
    {
        QWidget *widget;
        QLineEdit *name, *value;

        RequestHeader header() const;
    };
    void addRow(const RequestHeader &header);
    void removeRow(QWidget *widget);
    void refresh();

    QList<Row> m_rows;
    QWidget *m_list;
    QVBoxLayout *m_listLayout;
    QScrollArea *m_scroll;
    QToolButton *m_add;
    QLabel *m_none, *m_problem;
};

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
