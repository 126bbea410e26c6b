/** Every address of the app. */
export const paths = {
  home: () => '/',
  login: () => '/login',
  profile: () => '/profile',
  terms: () => '/terms-and-conditions',
  privacy: () => '/privacy-policy',
};
