import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type ResponseHeadersPolicyProps,
} from 'aws-cdk-lib/aws-cloudfront';

export const CONTENT_SECURITY_POLICY = Object.entries({
  'default-src': "'none'",
  'script-src': "'self'",
  // Emotion inserts style elements at run time.
  'style-src': "'self' 'unsafe-inline'",
  // Emails are shown in frames that inherit this policy. Each frame adds its own, without https: until the user asks for
  // images.
  'img-src': "'self' data: https:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
})
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join('; ');

const UNUSED_FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics'];

export const SECURITY_HEADERS: ResponseHeadersPolicyProps = {
  securityHeadersBehavior: {
    contentSecurityPolicy: { contentSecurityPolicy: CONTENT_SECURITY_POLICY, override: true },
    contentTypeOptions: { override: true },
    frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    // Invitation and tracking links have a secret in their path, which other origins must not get as a referrer.
    referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
    // Without subdomains: the product does not serve all subdomains of its domain.
    strictTransportSecurity: { accessControlMaxAge: Duration.days(730), override: true },
  },
  customHeadersBehavior: {
    customHeaders: [
      {
        header: 'Permissions-Policy',
        value: UNUSED_FEATURES.map(feature => `${feature}=()`).join(', '),
        override: true,
      },
      { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override: true },
    ],
  },
};

/** The headers of the pages that emails link to. Each of these pages sets its own content policy, and no referrer is sent. */
export const TRACKING_HEADERS: ResponseHeadersPolicyProps = {
  ...SECURITY_HEADERS,
  securityHeadersBehavior: {
    ...SECURITY_HEADERS.securityHeadersBehavior,
    contentSecurityPolicy: {
      contentSecurityPolicy:
        "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      override: false,
    },
    referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
  },
};
