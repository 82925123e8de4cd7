mod limits;
mod mailed_link;
mod recovery;
mod sessions;
mod sign_in;
mod sign_up;
