import type { Properties } from '../template/kinds.ts';

export type ResponseHeaders = { set: [name: string, value: string, override: boolean][]; remove: string[] };

type Policy = Properties<'AWS::CloudFront::ResponseHeadersPolicy'>['ResponseHeadersPolicyConfig'];

/** What a response headers policy sets and removes. HSTS is left out: over plain HTTP it means nothing. */
export function responseHeaders({
  CustomHeadersConfig,
  RemoveHeadersConfig,
  SecurityHeadersConfig: security = {},
}: Policy): ResponseHeaders {
  const { ContentSecurityPolicy, ContentTypeOptions, FrameOptions, ReferrerPolicy } = security;
  const set: ResponseHeaders['set'] = [];
  if (ContentSecurityPolicy) {
    const csp = withoutUpgrade(ContentSecurityPolicy.ContentSecurityPolicy);
    set.push(['content-security-policy', csp, ContentSecurityPolicy.Override]);
  }
  if (ContentTypeOptions) set.push(['x-content-type-options', 'nosniff', ContentTypeOptions.Override]);
  if (FrameOptions) set.push(['x-frame-options', FrameOptions.FrameOption, FrameOptions.Override]);
  if (ReferrerPolicy) set.push(['referrer-policy', ReferrerPolicy.ReferrerPolicy, ReferrerPolicy.Override]);
  for (const { Header, Value, Override } of CustomHeadersConfig?.Items ?? []) {
    set.push([Header.toLowerCase(), Value, Override]);
  }
  return { set, remove: (RemoveHeadersConfig?.Items ?? []).map(({ Header }) => Header.toLowerCase()) };
}

// Here the page itself comes over plain HTTP: a browser would ask for its scripts where nobody answers.
const withoutUpgrade = (csp: string) => csp.replace(/;?\s*upgrade-insecure-requests/, '');

export function applyHeaders(
  policy: ResponseHeaders | undefined,
  headers: Record<string, string | string[]>,
): void {
  for (const name of policy?.remove ?? []) delete headers[name];
  for (const [name, value, override] of policy?.set ?? [])
    if (override || !(name in headers)) headers[name] = value;
}
