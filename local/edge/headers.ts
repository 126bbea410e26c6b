import type { Properties } from '../template/kinds.ts';

type Policy = Properties<'AWS::CloudFront::ResponseHeadersPolicy'>['ResponseHeadersPolicyConfig'];

type Headers = Record<string, string>;

/** Adds the headers of a response headers policy, except HSTS, which has no effect over plain HTTP. */
export function headersUnder(policy: Policy): (answered: Headers) => Headers {
  const { ContentSecurityPolicy: csp } = policy.SecurityHeadersConfig;
  const content = { 'content-security-policy': csp.ContentSecurityPolicy };
  return answered =>
    csp.Override
      ? { ...answered, ...headersOf(policy), ...content }
      : { ...content, ...answered, ...headersOf(policy) };
}

const headersOf = ({ CustomHeadersConfig, SecurityHeadersConfig }: Policy): Headers => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': SecurityHeadersConfig.FrameOptions.FrameOption,
  'referrer-policy': SecurityHeadersConfig.ReferrerPolicy.ReferrerPolicy,
  ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header.toLowerCase(), Value])),
});
