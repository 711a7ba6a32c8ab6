// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QSyntaxHighlighter>

namespace instar {

/// Tells keys, texts and values of a JSON text apart.
class JsonHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT
public:
    explicit JsonHighlighter(QTextDocument *document);
    void setTheme(const Theme &theme);

protected:
    void highlightBlock(const QString &line) override;

private:
    QTextCharFormat m_key, m_text, m_value, m_sign;
};

} // namespace instar
