mod limits;
mod recovery;
mod sessions;
mod sign_in;
mod sign_up;
