// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "views/drawing/theme.h"

#include <QDialog>

class QPagedPaintDevice;
class QLabel;
class QLineEdit;

namespace instar {

class HtmlView;

/// A system in words, beside the window: its own page where it has one, then what its rows say of
/// states, operations, rules, switches and sources.
class Guide : public QDialog
{
    Q_OBJECT
public:
    explicit Guide(const Rules &rules, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// The rules as a page (.html), PDF or text, by the file's suffix; returns what went wrong.
    QString saveAs(const QString &file) const;
    HtmlView &text() { return *m_text; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *buildFind();
    void showFind();
    /// Selects the next place (or the one before) that has what is sought, from the end to the
    /// beginning again, and says which of how many it is.
    enum class From { Here, Next, Before };
    void seek(From from);
    void showPage();
    void print();
    void save();
    void printTo(QPagedPaintDevice &device) const;

    const Rules &m_rules;
    Theme m_theme = Theme::light();
    HtmlView *m_text;
    QWidget *m_findBar = nullptr;
    QLineEdit *m_sought;
    QLabel *m_found;
};

} // namespace instar
