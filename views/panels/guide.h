// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "views/drawing/theme.h"

#include <QDialog>

class QTextBrowser;

namespace instar {

/// A system in words, beside the window: its own page where it has one, then what its rows say of
/// states, operations, rules, switches and sources.
class Guide : public QDialog
{
    Q_OBJECT
public:
    explicit Guide(const Rules &rules, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

private:
    QString pages() const;

    const Rules &m_rules;
    Theme m_theme = Theme::light();
    QTextBrowser *m_text;
};

/// What the rows of a pack say, as rich text: tables of states, operations, rules, switches and
/// sources.
QString systemText(const Rules &rules, const Theme &theme);

} // namespace instar
