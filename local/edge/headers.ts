import type { Properties } from '../template/kinds.ts';

type Policy = Properties<'AWS::CloudFront::ResponseHeadersPolicy'>['ResponseHeadersPolicyConfig'];

/** The headers that a response headers policy sets, except HSTS: over plain HTTP it means nothing. */
export const responseHeaders = ({ CustomHeadersConfig, SecurityHeadersConfig }: Policy) => ({
  'content-security-policy': SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': SecurityHeadersConfig.FrameOptions.FrameOption,
  'referrer-policy': SecurityHeadersConfig.ReferrerPolicy.ReferrerPolicy,
  ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header.toLowerCase(), Value])),
});
