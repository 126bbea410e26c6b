const DARK = `@media (prefers-color-scheme: dark) {
        .page, .page > div { background: #1c1917 !important }
        .sheet, .sheet table, .sheet div { background: #292524 !important; color: #f5f5f4 !important }
        .foot, .foot div { color: #a8a29e !important }
        .link { color: #93c5fd !important }
        .button, .button a { background: #f5f5f4 !important; border-color: #f5f5f4 !important; color: #1c1917 !important }
      }`;

/** To begin with. The links of an email have the class `link`, and the cell of its button the class `button`. */
export const LAYOUT_EXAMPLES = {
  html: `<!doctype html>
<html>
  <head>
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <style>
      ${DARK}
      @media (max-width: 599px) { .pad { padding: 20px !important } }
    </style>
  </head>
  <body class="page" style="margin:0; background:#f5f5f4">
    {{preheader}}
    <center style="padding:24px 12px">
      <!--[if mso]><table width="600"><tr><td><![endif]-->
      <table role="presentation" cellspacing="0" cellpadding="0" style="width:100%; max-width:600px; font:16px/1.6 Arial, sans-serif; overflow-wrap:anywhere; text-align:left">
        <tr><td class="sheet pad" style="padding:24px 40px; background:#ffffff; color:#292524; border-bottom:2px solid #d6d3d1">
          <a href="https://example.com/" style="color:inherit; font-size:20px; text-decoration:none">Your company</a>
        </td></tr>
        <tr><td class="sheet pad" style="padding:32px 40px; background:#ffffff; color:#292524">
          {{pre_cta_content}}
          {{cta}}
          {{after_cta_content}}
        </td></tr>
        <tr><td class="foot pad" style="padding:20px 40px; font-size:13px; color:#57534e">
          {{footer}}
        </td></tr>
      </table>
      <!--[if mso]></td></tr></table><![endif]-->
    </center>
  </body>
</html>
`,
  mjml: `<mjml>
  <mj-head>
    <mj-preview>{{preheader}}</mj-preview>
    <mj-attributes>
      <mj-text font-family="Arial, sans-serif" font-size="16px" line-height="1.6" color="#292524" />
    </mj-attributes>
    <mj-style>
      :root { color-scheme: light dark }
      ${DARK}
    </mj-style>
  </mj-head>
  <mj-body background-color="#f5f5f4" css-class="page">
    <mj-section background-color="#ffffff" css-class="sheet">
      <mj-column>
        <mj-text font-size="20px"><a href="https://example.com/" style="color:inherit; text-decoration:none">Your company</a></mj-text>
        <mj-divider border-width="2px" border-color="#d6d3d1" />
        <mj-text>{{pre_cta_content}}{{cta}}{{after_cta_content}}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section css-class="foot">
      <mj-column><mj-text font-size="13px" color="#57534e">{{footer}}</mj-text></mj-column>
    </mj-section>
  </mj-body>
</mjml>
`,
};
