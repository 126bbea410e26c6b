import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type ResponseHeadersPolicyProps,
} from 'aws-cdk-lib/aws-cloudfront';

export const CONTENT_SECURITY_POLICY = Object.entries({
  'default-src': "'none'",
  'script-src': "'self'",
  // The style sheets of components are written into the page as it runs.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
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
    // Stricter than across origins: invitation and tracking links carry a secret in their path.
    referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
    // Not for subdomains: a deployer's domain may have some that this product knows nothing of.
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
